-- Run once, on the first primary: psql -h 127.0.0.1 -p 5000 -U postgres -v password=… -f database.sql
CREATE ROLE faktur LOGIN PASSWORD :'password';
CREATE DATABASE faktur OWNER faktur ENCODING 'UTF8' TEMPLATE template0;
