"""Problems with a known answer: formulas, boxes and sampling laws."""
