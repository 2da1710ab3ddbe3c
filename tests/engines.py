"""An engine that runs here: a frame in parts, work on each of them, and bytes sent about."""

import itertools
import pickle
from dataclasses import replace

from tamis.sources.frames import FrameSource
from tamis.sources.source import GivesSource, PartedSource
from tamis.sources.spark import pack_arrays, unpack_arrays


class FrameInParts(FrameSource, PartedSource):
    """A pandas frame cut into parts; its rows never come home unless `gives_rows`."""

    def __init__(self, frame, cuts, fan=3, *, gives_rows=False):
        super().__init__(frame)
        edges = [0, *cuts, len(frame)]
        self.parts = [frame.iloc[a:b] for a, b in itertools.pairwise(edges)]
        self.fan, self.gives_rows = fan, gives_rows

    def batches(self, columns):
        assert self.gives_rows, "rows came home"
        return super().batches(columns)

    def tables(self, columns, *, mark_missing=False):
        assert self.gives_rows, "rows came home"
        return super().tables(columns, mark_missing=mark_missing)

    def head(self, columns, rows):
        return next(FrameSource(self.parts[0][:rows]).tables(columns))

    def gather(self, columns, work, add):
        work, add = (pickle.loads(pickle.dumps(one)) for one in (work, add))
        done = []
        for number, frame in enumerate(self.parts):
            part = FrameSource(frame.iloc[:, list(columns)])
            # A part may know less than the whole, as one without any value of a column.
            part.info = replace(part.info, kinds=tuple(self.kinds[j] for j in columns))
            found = work(number, part)
            done.append({name: pack_arrays(arrays) for name, arrays in found.items()})
        while len(done) > 1:
            groups = [done[i : i + self.fan] for i in range(0, len(done), self.fan)]
            done = [_add_group(group, add) for group in groups]
        return {name: unpack_arrays(data) for name, data in done[0].items()}


def _add_group(group, add):
    names = dict.fromkeys(name for part in group for name in part)
    return {
        name: pack_arrays(add([unpack_arrays(part[name]) for part in group if name in part]))
        for name in names
    }


class GivesParts(GivesSource):
    """Data that gives its source itself, as a summary does."""

    def __init__(self, source):
        self.source = source

    def as_source(self):
        return self.source
