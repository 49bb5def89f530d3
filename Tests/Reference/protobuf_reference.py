#!/usr/bin/env python3
"""Python's protobuf as the reference for the project's codec.

  protobuf_reference.py DESCRIPTORS make SEED COUNT
      writes COUNT random messages of each type of package test.v1, one a line: TYPE HEX
  protobuf_reference.py DESCRIPTORS check
      reads lines TYPE HEX HEX: the second has to be the same message as the first; says which
      aren't, and exits with 1 then

DESCRIPTORS is what `protoc --descriptor_set_out` writes. TYPE is a name in package test.v1.
"""

import random
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field

TYPES = ["Scalars", "Optionals", "Lists", "UnpackedLists", "Maps", "Tree", "Choice", "Names"]


def message_types(path):
    files = descriptor_pb2.FileDescriptorSet()
    with open(path, "rb") as file:
        files.ParseFromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    return {
        name: factory.GetPrototype(pool.FindMessageTypeByName("test.v1." + name)) for name in TYPES
    }


def integer(rng, bits, signed):
    magnitude = rng.getrandbits(rng.choice([1, 7, 8, 14, 31, 32, 63, 64])) & (2**bits - 1)
    return magnitude - 2 ** (bits - 1) if signed else magnitude


def scalar(rng, field):
    kind = field.type
    if kind in (Field.TYPE_INT32, Field.TYPE_SINT32, Field.TYPE_SFIXED32):
        return rng.choice([0, 1, -1, integer(rng, 32, True)])
    if kind in (Field.TYPE_INT64, Field.TYPE_SINT64, Field.TYPE_SFIXED64):
        return rng.choice([0, 1, -1, integer(rng, 64, True)])
    if kind in (Field.TYPE_UINT32, Field.TYPE_FIXED32):
        return integer(rng, 32, False)
    if kind in (Field.TYPE_UINT64, Field.TYPE_FIXED64):
        return integer(rng, 64, False)
    if kind == Field.TYPE_BOOL:
        return rng.random() < 0.5
    if kind == Field.TYPE_FLOAT:
        return struct.unpack("<f", struct.pack("<f", rng.uniform(-1e6, 1e6)))[0]
    if kind == Field.TYPE_DOUBLE:
        return rng.choice([0.0, -0.0, float("inf"), rng.uniform(-1e300, 1e300)])
    if kind == Field.TYPE_STRING:
        return "".join(rng.choice("aé字🎈\0") for _ in range(rng.choice([0, 1, 5, 40])))
    if kind == Field.TYPE_BYTES:
        return rng.randbytes(rng.choice([0, 1, 15, 16, 200]))
    if kind == Field.TYPE_ENUM:
        return rng.choice([0, 1, 2, -1, 1000])
    raise ValueError(f"field {field.name} has an unexpected type {kind}")


def fill(rng, message, depth=0):
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.4:
            continue
        is_message = field.type == Field.TYPE_MESSAGE
        is_map = is_message and field.message_type.GetOptions().map_entry
        if is_message and not is_map and depth > 2:
            continue
        if is_map:
            fill_map(rng, getattr(message, field.name), field.message_type, depth)
        elif field.label == Field.LABEL_REPEATED:
            values = getattr(message, field.name)
            for _ in range(rng.choice([1, 2, 20])):
                fill(rng, values.add(), depth + 1) if is_message else values.append(
                    scalar(rng, field)
                )
        elif is_message:
            inner = getattr(message, field.name)
            inner.SetInParent()
            fill(rng, inner, depth + 1)
        else:
            setattr(message, field.name, scalar(rng, field))


def fill_map(rng, entries, entry, depth):
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    for _ in range(rng.choice([1, 5])):
        if value.type != Field.TYPE_MESSAGE:
            entries[scalar(rng, key)] = scalar(rng, value)
        elif depth <= 2:
            fill(rng, entries[scalar(rng, key)], depth + 1)


def make(types, seed, count):
    rng = random.Random(seed)
    for name in TYPES:
        for _ in range(count):
            message = types[name]()
            fill(rng, message)
            print(name, message.SerializeToString().hex())


def check(types):
    failures = 0
    for number, line in enumerate(sys.stdin, 1):
        name, *encoded = line.rstrip("\n").split(" ")
        original, again = (types[name].FromString(bytes.fromhex(text)) for text in encoded)
        if original != again:
            failures += 1
            print(f"line {number}: {name} differs: {encoded[0]} became {encoded[1]}")
    return 1 if failures else 0


def main():
    types = message_types(sys.argv[1])
    if sys.argv[2] == "make":
        make(types, int(sys.argv[3]), int(sys.argv[4]))
        return 0
    return check(types)


if __name__ == "__main__":
    sys.exit(main())
