#!/usr/bin/python3
"""Calls all three services of onside-server from Python.

    services.py --target HOST:PORT --ca FILE [--app ID] [--external-id ID] [--certificate FILE --key FILE]

The code of the messages is made by protoc from Proto/ into a temporary folder at each run. Needs Debian's
python3-protobuf and protobuf-compiler. Prints a line for each step. Exit codes: 0 all steps as they
should be; 1 a step went wrong, which is named; 2 wrong usage or a tool is missing.
"""

import argparse
import uuid

from steps import Steps, connect, connection_arguments


def sign_in(steps, connection, options):
    """LoginService: a session, and its profile."""
    from onside.v1 import login_pb2 as login
    service = "onside.v1.LoginService/"
    external = options.external_id or f"python-{uuid.uuid4()}"
    request = login.CreateSessionRequest(
        app_id=options.app, external_user_id=external, country_hint="DE")
    session = connection.unary(
        service + "CreateSession", request, login.CreateSessionResponse, timeout=10)
    steps.check("a session is created", session.session_token, session)
    again = connection.unary(
        service + "CreateSession", request, login.CreateSessionResponse, timeout=10)
    steps.check(
        "the same identifier is the same profile",
        again.profile_id == session.profile_id and not again.created, again)
    metadata = [("authorization", f"Bearer {session.session_token}")]
    answer = connection.unary(
        service + "GetProfile", login.GetProfileRequest(), login.GetProfileResponse,
        metadata=metadata)
    profile = answer.profile
    steps.check(
        "the profile is the session's",
        profile.profile_id == session.profile_id
        and profile.kind == login.PROFILE_KIND_EXTERNAL
        and profile.external_user_id == external and profile.app_id == options.app, profile)
    steps.refused(
        "an empty identifier is refused", "INVALID_ARGUMENT", "EXTERNAL_USER_ID_EMPTY",
        lambda: connection.unary(
            service + "CreateSession",
            login.CreateSessionRequest(app_id=options.app, external_user_id=""),
            login.CreateSessionResponse))
    steps.refused(
        "an unknown app is refused", "NOT_FOUND", "APP_NOT_REGISTERED",
        lambda: connection.unary(
            service + "CreateSession",
            login.CreateSessionRequest(app_id="nobody", external_user_id="x"),
            login.CreateSessionResponse))
    steps.refused(
        "a call without a session is refused", "UNAUTHENTICATED", "SESSION_MISSING",
        lambda: connection.unary(
            service + "GetProfile", login.GetProfileRequest(), login.GetProfileResponse))
    return metadata


def list_products(steps, connection, options, metadata):
    """ProductsService: known, unknown and repeated identifiers. Returns a consumable."""
    from onside.v1 import products_pb2 as products
    asked = [*options.product, "no.such.product", options.product[0]]
    listed = connection.unary(
        "onside.v1.ProductsService/ListProducts",
        products.ListProductsRequest(product_identifiers=asked),
        products.ListProductsResponse, metadata=metadata)
    known = [product.product_identifier for product in listed.products]
    together = [*known, *listed.invalid_identifiers, *listed.unsupported_identifiers]
    steps.check("the unknown identifier is invalid",
                "no.such.product" in listed.invalid_identifiers, listed.invalid_identifiers)
    steps.check("the lists make up the request, each identifier once",
                sorted(together) == sorted(set(asked)), together)
    steps.check("an external profile gets consumables only", listed.products and all(
        product.kind == products.PRODUCT_KIND_CONSUMABLE for product in listed.products), known)
    steps.refused(
        "an empty identifier is refused", "INVALID_ARGUMENT", "PRODUCT_IDENTIFIER_INVALID",
        lambda: connection.unary(
            "onside.v1.ProductsService/ListProducts",
            products.ListProductsRequest(product_identifiers=[""]),
            products.ListProductsResponse, metadata=metadata))
    return listed.products[0], listed.storefront


def buy(steps, connection, metadata, product, storefront):
    """PaymentsService: a purchase, its repetition, and its end."""
    from onside.v1 import payments_pb2 as payments
    service = "onside.v1.PaymentsService/"
    request = payments.CreatePurchaseRequest(
        idempotency_key=str(uuid.uuid4()), product_identifier=product.product_identifier,
        storefront_id=storefront.id, price=product.price, apple_pay_token="sandbox-paid",
        app_account_token="from Python ✓")
    first = connection.unary(
        service + "CreatePurchase", request, payments.CreatePurchaseResponse, metadata=metadata)
    steps.check(
        "the purchase is made", first.transaction.state == payments.TRANSACTION_STATE_PURCHASED
        and first.transaction.app_account_token == "from Python ✓" and not first.replayed, first)
    again = connection.unary(
        service + "CreatePurchase", request, payments.CreatePurchaseResponse, metadata=metadata)
    steps.check(
        "the same key gives the same transaction",
        again.replayed and again.transaction.transaction_id == first.transaction.transaction_id,
        again)
    other = payments.CreatePurchaseRequest()
    other.CopyFrom(request)
    other.app_account_token = "another"
    steps.refused(
        "the key with other fields is refused", "ALREADY_EXISTS", "IDEMPOTENCY_KEY_REUSED",
        lambda: connection.unary(
            service + "CreatePurchase", other, payments.CreatePurchaseResponse,
            metadata=metadata))
    card = payments.CreatePurchaseRequest()
    card.CopyFrom(request)
    card.idempotency_key = str(uuid.uuid4())
    card.card_token = "sandbox-paid"
    steps.refused(
        "an external profile can't pay by card", "FAILED_PRECONDITION", "APPLE_PAY_REQUIRED",
        lambda: connection.unary(
            service + "CreatePurchase", card, payments.CreatePurchaseResponse,
            metadata=metadata))
    finish = payments.FinishTransactionRequest(transaction_id=first.transaction.transaction_id)
    for _ in range(2):
        finished = connection.unary(
            service + "FinishTransaction", finish, payments.FinishTransactionResponse,
            metadata=metadata)
        steps.check("the transaction is finished", finished.transaction.finished, finished)
    listed = connection.unary(
        service + "ListTransactions", payments.ListTransactionsRequest(),
        payments.ListTransactionsResponse, metadata=metadata)
    found = [item.transaction_id for item in listed.transactions]
    steps.check("the transaction is listed",
                first.transaction.transaction_id in found, found)


def try_the_protocol(steps, connection, options):
    """What isn't about the marketplace: unknown methods, pipelining, deadlines, cancel, PING."""
    from onside.v1 import login_pb2 as login, products_pb2 as products
    steps.refused(
        "an unknown method is unimplemented", "UNIMPLEMENTED", None,
        lambda: connection.call("no.such.Service/Method", b""))
    steps.refused(
        "a request that isn't protobuf is refused", "INTERNAL", None,
        lambda: connection.call("onside.v1.LoginService/CreateSession", b"\xff\xff"))
    calls = [
        connection.start(
            "onside.v1.LoginService/CreateSession",
            login.CreateSessionRequest(
                app_id=options.app, external_user_id=f"pipelined-{number}").SerializeToString(),
            timeout=30)
        for number in range(20)
    ]
    profiles = {
        login.CreateSessionResponse.FromString(call.result()).profile_id
        for call in reversed(calls)
    }
    steps.check("20 calls at once have 20 answers", len(profiles) == 20, profiles)
    many = products.ListProductsRequest(
        product_identifiers=[f"{'x' * 200}.{number}" for number in range(500)],
        app_id=options.app)
    for compress in (False, True):
        listed = connection.unary(
            "onside.v1.ProductsService/ListProducts", many, products.ListProductsResponse,
            timeout=30, compress=compress)
        steps.check(
            f"a request of 100 KB comes whole{', compressed too' if compress else ''}",
            list(listed.invalid_identifiers) == list(many.product_identifiers),
            len(listed.invalid_identifiers))
    connection.start("onside.v1.LoginService/CreateSession", b"").cancel()
    steps.check("a PING has its PONG", connection.ping() >= 0)


def sign_out(steps, connection, metadata):
    """LoginService: the session's end."""
    from onside.v1 import login_pb2 as login
    service = "onside.v1.LoginService/"
    connection.unary(
        service + "EndSession", login.EndSessionRequest(), login.EndSessionResponse,
        metadata=metadata)
    steps.refused(
        "an ended session is refused", "UNAUTHENTICATED", "SESSION_ENDED",
        lambda: connection.unary(
            service + "GetProfile", login.GetProfileRequest(), login.GetProfileResponse,
            metadata=metadata))


def main():
    parser = argparse.ArgumentParser(description="calls all services of an onside-server")
    connection_arguments(parser)
    parser.add_argument("--app", default="com.example.shop")
    parser.add_argument("--external-id")
    parser.add_argument(
        "--product", action="append", metavar="ID",
        help="what to list; the first consumable among them is bought")
    options = parser.parse_args()
    options.product = options.product or [
        "com.example.shop.coins.100", "com.example.shop.remove-ads"]
    steps = Steps()
    with connect(options, steps, "onside/v1") as connection:
        metadata = sign_in(steps, connection, options)
        product, storefront = list_products(steps, connection, options, metadata)
        buy(steps, connection, metadata, product, storefront)
        try_the_protocol(steps, connection, options)
        sign_out(steps, connection, metadata)
    steps.end()


if __name__ == "__main__":
    main()
