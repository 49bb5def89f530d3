#!/bin/sh
# Makes a development CA, and certificates that come from it: a server's, a client's, and an
# administrator's, who controls a test environment (onside-server --admin-certificate).
#
#   Scripts/certs.sh [FOLDER]      (Certs/dev by default)
#
# Writes {ca,server,client,admin}.pem and .key into the folder: ECDSA P-256, the server's valid for
# localhost, 127.0.0.1 and ::1. What is there and still good for a day is left alone; a new CA brings
# new certificates with it. The keys are for development only and never leave the machine.

set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$here/Certs/dev}
configuration=$here/Certs/openssl.cnf
days=${CERTS_DAYS:-365}

fail() {
  echo "certs.sh: $1" >&2
  exit 1
}

command -v openssl >/dev/null 2>&1 ||
  fail "the openssl command is missing; install it with: apt-get install openssl"
mkdir -p "$folder" || fail "cannot make the folder $folder"

# Whether the certificate NAME is there, not about to expire, fits its key and comes from the CA.
is_good() {
  [ -s "$folder/$1.pem" ] && [ -s "$folder/$1.key" ] &&
    openssl x509 -in "$folder/$1.pem" -noout -checkend 86400 >/dev/null 2>&1 &&
    [ "$(openssl x509 -in "$folder/$1.pem" -noout -pubkey 2>/dev/null)" = \
      "$(openssl pkey -in "$folder/$1.key" -pubout 2>/dev/null)" ] &&
    openssl verify -CAfile "$folder/ca.pem" "$folder/$1.pem" >/dev/null 2>&1
}

# make NAME COMMON-NAME [options of openssl req that say who signs]
#
# Both files are complete before they get their names: a running server may reload at any moment.
make() {
  name=$1
  common=$2
  shift 2
  (
    umask 077
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 \
      -out "$folder/$name.key.new" 2>/dev/null
  ) || fail "cannot write $folder/$name.key"
  openssl req -new -x509 -config "$configuration" -extensions "$name" -sha256 -days "$days" \
    -subj "/O=Onside development/CN=$common" -set_serial "0x$(openssl rand -hex 16 | sed 's/^./1/')" \
    -key "$folder/$name.key.new" -out "$folder/$name.pem.new" "$@" ||
    fail "cannot make $folder/$name.pem"
  mv "$folder/$name.key.new" "$folder/$name.key"
  mv "$folder/$name.pem.new" "$folder/$name.pem"
  echo "made $folder/$name.pem"
}

is_good ca || make ca "Onside development CA"
for name in server client admin; do
  case $name in
    server) common=localhost ;;
    client) common="development client" ;;
    *) common="development administrator" ;;
  esac
  is_good "$name" ||
    make "$name" "$common" -CA "$folder/ca.pem" -CAkey "$folder/ca.key"
done
