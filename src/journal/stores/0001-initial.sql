-- The journal's tables. A comment that begins with "partitioned" or "whole" is a part of its statement where history
-- has a partition for each day, or has none. Texts are ordered by their bytes, as in Redis.

CREATE TABLE journal (
  id uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO journal DEFAULT VALUES;

CREATE TABLE record (
  key text COLLATE "C" PRIMARY KEY,
  value text NOT NULL,
  expires_ms bigint
);
CREATE INDEX ON record (expires_ms) WHERE expires_ms IS NOT NULL;

CREATE TABLE member (
  name text COLLATE "C" NOT NULL,
  member text COLLATE "C" NOT NULL,
  PRIMARY KEY (name, member)
);

CREATE TABLE list_end (
  name text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL,
  expires_ms bigint
);
CREATE INDEX ON list_end (expires_ms) WHERE expires_ms IS NOT NULL;

CREATE TABLE list_entry (
  name text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (name, seq)
);

-- History.

CREATE TABLE delivery (
  key text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  value text NOT NULL,
  expires_ms bigint,
  PRIMARY KEY (key, day)
) /* partitioned PARTITION BY RANGE (day) */;

CREATE TABLE decision (
  key text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  value text NOT NULL,
  expires_ms bigint,
  PRIMARY KEY (key, day)
) /* partitioned PARTITION BY RANGE (day) */;

CREATE TABLE body (
  key text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  value text NOT NULL,
  expires_ms bigint,
  PRIMARY KEY (key, day)
) /* partitioned PARTITION BY RANGE (day) */;
CREATE INDEX ON body (expires_ms);

CREATE TABLE delivery_member (
  name text COLLATE "C" NOT NULL,
  member text COLLATE "C" NOT NULL,
  PRIMARY KEY (name, member)
) /* partitioned PARTITION BY RANGE (member) */;

CREATE TABLE decision_member (
  name text COLLATE "C" NOT NULL,
  member text COLLATE "C" NOT NULL,
  PRIMARY KEY (name, member)
) /* partitioned PARTITION BY RANGE (member) */;

-- Half of each page stays free, so that updates are in place and write no index (partitions: postgres-partitions.ts).
CREATE TABLE tally_by_day (
  name text COLLATE "C" NOT NULL,
  field text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  number bigint NOT NULL,
  raises boolean NOT NULL,
  expires_ms bigint NOT NULL,
  PRIMARY KEY (name, field, day)
) /* partitioned PARTITION BY RANGE (day) */ /* whole WITH (fillfactor = 50) */;
CREATE INDEX ON tally_by_day (expires_ms);
