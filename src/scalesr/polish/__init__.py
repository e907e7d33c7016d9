"""Laws -> the same laws, as short and as plain as the rows allow."""
