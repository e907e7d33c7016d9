"""NumPy files as tables: .npy with one array, .npz with several."""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.expr.names import default_name
from scalesr.tables.content import MAX_BYTES, check_numbers
from scalesr.tables.table import Column, Table, first_double, shortened


def array_table(content: bytes, source: str) -> Table:
    """The columns of an array (rows, columns), or the fields of a structured one."""
    array = _array(content, source)
    return _table(_columns("", array, source), source, "NumPy array")


def archive_table(content: bytes, source: str) -> Table:
    """The arrays of an archive: (rows,) is a column by its name, (rows, n) are n columns."""
    columns: list[Column] = []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(info.file_size for info in archive.infolist()) > MAX_BYTES:
            raise DataError(f"{source} unpacks to more than {MAX_BYTES // 2**30} GiB; give fewer rows.")
        for name in archive.namelist():
            try:
                packed = archive.read(name)
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
                raise DataError(f"{source} cannot be unpacked: {error}.") from error
            columns += _columns(name.removesuffix(".npy"), _array(packed, source), source)
    return _table(columns, source, "NumPy archive")


def _array(content: bytes, source: str) -> NDArray[Any]:
    """One array; nothing is unpickled, and no more memory is asked for than the file has bytes."""
    file = io.BytesIO(content)
    try:
        version = npy.read_magic(file)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, kind = read_header(file)
        if kind.hasobject:
            raise DataError(f"{source} holds Python objects, which are not loaded; save numbers.")
        if file.tell() + kind.itemsize * int(np.prod(shape, dtype=object)) > len(content):
            raise DataError(f"{source} ends before its array does; save it again.")
        n_columns = shape[1] if len(shape) == 2 else len(kind.names or "1")
        check_numbers(shape[0] if shape else 0, n_columns, source)
        file.seek(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that old versions wrote
            return np.asarray(npy.read_array(file, allow_pickle=False))
    except DataError:
        raise
    except Exception as error:  # a broken header is Python's syntax to NumPy and may raise anything that syntax can
        raise DataError(f"{source} is not a NumPy file that can be read ({error}).") from error


def _columns(name: str, array: NDArray[Any], source: str) -> list[Column]:
    if array.dtype.names is not None and array.ndim == 1:
        return [_column(field, array[field]) for field in array.dtype.names]
    if array.ndim == 1:
        return [_column(name or default_name(0), array)]
    if array.ndim == 2:
        names = [f"{name}{j}" if name else default_name(j) for j in range(array.shape[1])]
        return [_column(own, array[:, j]) for j, own in enumerate(names)]
    what = f"The array {name!r} in {source}" if name else source
    raise DataError(f"{what} has the shape {array.shape}; a table has rows and columns.")


def _column(name: str, values: NDArray[Any]) -> Column:
    if values.ndim == 1 and values.dtype.kind in "biuf":
        return Column(name, values.astype(np.float64))
    return Column(name, None, str(values.flat[0]) if values.size else "")


def _table(columns: list[Column], source: str, form: str) -> Table:
    lengths = {column.name: len(column.numbers) for column in columns if column.numbers is not None}
    if not lengths or not all(lengths.values()):
        raise DataError(f"{source} holds no rows of numbers.")
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} {length}" for name, length in list(lengths.items())[:8])
        raise DataError(f"The arrays of {source} have different numbers of rows ({shown}); save equal ones.")
    names = [column.name for column in columns]
    if (doubled := first_double(names)) is not None:
        raise DataError(f"{source} has two columns called {shortened(doubled)!r}; rename one.")
    return Table(source, tuple(columns), next(iter(lengths.values())), form)
