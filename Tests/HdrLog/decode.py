#!/usr/bin/env python3
"""Reads an HdrHistogram interval log (V2) and prints a line for each histogram, tab-separated:

tag, start, length, count, median, p99, largest, and LOWEST:COUNT of each bucket that isn't empty.
"""

import base64
import math
import struct
import sys
import zlib


def counts_of(payload):
    """Bucket's index -> count, from zig-zag numbers of at most nine bytes."""
    counts, index, place = {}, 0, 0
    while place < len(payload):
        value = shift = 0
        for position in range(9):
            byte = payload[place]
            place += 1
            if position == 8:
                value |= byte << shift
                break
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
        number = (value >> 1) ^ -(value & 1)
        if number < 0:
            index -= number
        else:
            counts[index] = number
            index += 1
    return counts


def decode(text):
    packed = base64.b64decode(text, validate=True)
    cookie, length = struct.unpack(">ii", packed[:8])
    assert cookie == 0x1C849314 and length == len(packed) - 8, "the outer head"
    plain = zlib.decompress(packed[8:])
    head = struct.unpack(">iiiiqqd", plain[:40])
    cookie, length, offset, digits, lowest, highest, ratio = head
    assert cookie == 0x1C849313 and length == len(plain) - 40 and offset == 0 and ratio == 1
    half = 2 ** (math.ceil(math.log2(2 * 10**digits)) - 1)
    unit = int(math.log2(lowest))
    values = {}
    for index, count in counts_of(plain[40:]).items():
        bucket, sub = index // half - 1, index % half + half
        if bucket < 0:
            bucket, sub = 0, sub - half
        values[sub << (bucket + unit)] = (count, 1 << (bucket + unit))
    assert all(value <= highest for value in values)
    return values


def percentile(values, share):
    rank, seen = max(1, math.ceil(share * sum(count for count, _ in values.values()))), 0
    for value in sorted(values):
        count, width = values[value]
        seen += count
        if seen >= rank:
            return value + width // 2
    raise AssertionError


def main(path):
    for line in open(path):
        if line.startswith(("#", '"')):
            continue
        fields = line.rstrip("\n").split(",")
        tag = fields.pop(0)[4:] if fields[0].startswith("Tag=") else "-"
        start, length, _, text = fields
        values = decode(text)
        total = sum(count for count, _ in values.values())
        buckets = " ".join(f"{value}:{values[value][0]}" for value in sorted(values))
        shown = [percentile(values, share) for share in (0.5, 0.99, 1)]
        print(tag, start, length, total, *shown, buckets, sep="\t")


main(sys.argv[1])
