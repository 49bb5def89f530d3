#!/usr/bin/env python3
"""Writes the benchmark's catalogue in the server's JSON Lines format, and its identifiers.

    catalogue.py PRODUCTS CATALOGUE.jsonl PRODUCTS.txt

The products are those that the gRPC peer makes up by itself (peers/grpc): the same identifiers,
texts, prices and kinds. The second file has one line for each product, identifier and kind: what
`onside-load --products` takes, so that it knows what each answer has to be.
"""

import json
import os
import sys

APP = "com.example.shop"
DESCRIPTION = "Everything that you could wish for, in one small box, and it is item no "


def kind_of(index):
    """60 % consumables, 25 % non-consumables, 15 % subscriptions, as in peers/grpc/catalogue.h."""
    place = index % 20
    if place < 12:
        return "consumable"
    return "non-consumable" if place < 17 else "subscription"


def product(index):
    number = f"{index:07d}"
    kind = kind_of(index)
    minor_units = 99 + 100 * (index % 50)
    line = {
        "id": f"{APP}.item.{number}",
        "kind": kind,
        "title": f"Shop item no {number}",
        "description": DESCRIPTION + number,
        "prices": {"DE": f"{minor_units // 100}.{minor_units % 100:02d}"},
    }
    if kind == "subscription":
        line |= {"group": "shop.premium", "period": "P1M"}
    return line


def main():
    if len(sys.argv) != 4 or not sys.argv[1].isdigit():
        sys.exit(__doc__.split("\n\n")[1].strip())
    count, catalogue, identifiers = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    header = {
        "format": "onside-catalogue/1",
        "app": APP,
        "storefronts": [{"id": "DE", "country": "DE"}],
        "default_storefront": "DE",
    }
    # Under other names first: a file that is there is whole.
    with open(catalogue + ".part", "w") as lines, open(identifiers + ".part", "w") as names:
        lines.write(json.dumps(header) + "\n")
        for index in range(count):
            line = product(index)
            lines.write(json.dumps(line, separators=(",", ":")) + "\n")
            names.write(f"{line['id']} {line['kind']}\n")
    os.replace(catalogue + ".part", catalogue)
    os.replace(identifiers + ".part", identifiers)


if __name__ == "__main__":
    main()
