#!/bin/sh
# What the official image does with the settings of compose.yaml at its first start, and no more.
set -eu
bin=$(echo /usr/lib/postgresql/*/bin)
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
install --directory --owner=postgres --mode=0700 "$PGDATA"
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  chmod 0644 /tmp/password
  as_postgres "$bin/initdb" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 $POSTGRES_INITDB_ARGS
  rm /tmp/password
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | as_postgres "$bin/postgres" --single postgres
fi
[ "$1" != postgres ] || shift
exec setpriv --reuid=postgres --regid=postgres --init-groups "$bin/postgres" "$@"
