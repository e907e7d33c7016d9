"""Tables that are read in passes, batch by batch, because they may not fit into memory."""

from scalesr.tables.streams.choose import goes_in_passes as goes_in_passes
from scalesr.tables.streams.choose import open_stream as open_stream
from scalesr.tables.streams.stream import Stream as Stream
