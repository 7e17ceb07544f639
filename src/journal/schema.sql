-- The journal's tables. A comment that begins with "partitioned" is a part of its statement if history has a
-- partition for each day. Names and ids that others choose are stored as keyText in database/database.ts writes them.

CREATE TABLE journal (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  version integer NOT NULL
);
INSERT INTO journal (version) VALUES (1);

-- The body may hold CI variables: it is stored for a shorter time than the delivery.
CREATE TABLE deliveries (
  id text COLLATE "C" NOT NULL,
  received_at timestamptz NOT NULL,
  state text NOT NULL,
  kind text COLLATE "C",
  record json NOT NULL,
  replays json NOT NULL DEFAULT '[]',
  body bytea,
  body_until timestamptz,
  PRIMARY KEY (id, received_at)
) /* partitioned PARTITION BY RANGE (received_at) */;
CREATE INDEX ON deliveries (received_at, id);
CREATE INDEX ON deliveries (state, received_at, id);
CREATE INDEX ON deliveries (kind, received_at, id);
CREATE INDEX ON deliveries (body_until) WHERE body_until IS NOT NULL;

-- What a delivery means to a merge request, an issue or (iid 0) a project. Pending: it has an event, and processed_at is
-- null. Without an event nothing had to be evaluated, or the delivery counted_by brought the same event.
CREATE TABLE events (
  project bigint NOT NULL,
  iid bigint NOT NULL,
  delivery text COLLATE "C" NOT NULL,
  received_at timestamptz NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  event json,
  content text COLLATE "C",
  counted_by text COLLATE "C",
  processed_at timestamptz,
  PRIMARY KEY (project, iid, delivery)
);
CREATE INDEX ON events (project, iid, seq) WHERE processed_at IS NULL AND event IS NOT NULL;
CREATE INDEX ON events (project, iid, received_at, delivery);
CREATE INDEX ON events (project, received_at, delivery);
CREATE INDEX ON events (received_at, delivery);

-- Adds an event of a merge request that the calling statement has locked, once for each delivery. Returns the other
-- delivery that counts instead, if one brought the same content within ten minutes, and whether the event that counts is
-- pending. A statement of a function sees what others committed while the lock was awaited; the calling one does not.
-- The parameters have names for pg_dump, which writes a function without them wrongly.
CREATE FUNCTION add_event(
  project bigint, iid bigint, delivery text, received_at timestamptz, event json, content text)
RETURNS TABLE (counted_by text, pending boolean) BEGIN ATOMIC
  INSERT INTO events AS present (project, iid, delivery, received_at, event, content, counted_by)
  SELECT $1, $2, $3, $4, CASE WHEN same.delivery IS NULL THEN $5 END, $6, same.delivery
  FROM (VALUES (true)) AS this LEFT JOIN LATERAL (
    SELECT other.delivery FROM events AS other
    WHERE other.project = $1 AND other.iid = $2 AND other.delivery <> $3 AND other.content = $6
      AND other.event IS NOT NULL
      AND other.received_at BETWEEN $4 - interval '10 minutes' AND $4 + interval '10 minutes'
    ORDER BY other.seq LIMIT 1) AS same ON true
  ON CONFLICT (project, iid, delivery) DO UPDATE
  SET event = EXCLUDED.event, content = EXCLUDED.content, counted_by = EXCLUDED.counted_by
  WHERE present.event IS NULL AND present.counted_by IS NULL;
  SELECT own.counted_by, counted.event IS NOT NULL AND counted.processed_at IS NULL
  FROM events AS own JOIN events AS counted
    ON (counted.project, counted.iid, counted.delivery) = (own.project, own.iid, coalesce(own.counted_by, own.delivery))
  WHERE (own.project, own.iid, own.delivery) = ($1, $2, $3);
END;

-- Merge requests and issues: what is remembered, their names and times, and the entry in a merge queue.
CREATE TABLE merge_requests (
  project bigint NOT NULL,
  iid bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  memory json,
  -- The memory holds what any event may end: no event is left out.
  keeps boolean NOT NULL DEFAULT false,
  -- Merged or closed when it was read last.
  ended boolean,
  -- The memory is no longer needed since then.
  over_at timestamptz,
  -- When it must be evaluated again although nothing happens.
  changes_at timestamptz,
  name json,
  source_project bigint,
  source_branch text COLLATE "C",
  author text COLLATE "C",
  -- What people did, according to deliveries, and what it waited for, according to evaluations.
  times json,
  waits json,
  first_end timestamptz,
  last_end timestamptz,
  queue_target text COLLATE "C",
  queue_entry json,
  queue_note json,
  PRIMARY KEY (project, iid)
) /* partitioned WITH (fillfactor = 70) */;
CREATE INDEX ON merge_requests (source_project, source_branch) WHERE source_branch IS NOT NULL AND ended IS NOT TRUE;
CREATE INDEX ON merge_requests (project, queue_target) WHERE queue_target IS NOT NULL;
CREATE INDEX ON merge_requests (changes_at) WHERE changes_at IS NOT NULL;
CREATE INDEX ON merge_requests (over_at) WHERE over_at IS NOT NULL;
CREATE INDEX ON merge_requests (project, last_end) WHERE last_end IS NOT NULL;
CREATE INDEX ON merge_requests (last_end) WHERE last_end IS NOT NULL;

-- The record is compressed JSON.
CREATE TABLE decisions (
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  project bigint NOT NULL,
  iid bigint NOT NULL,
  evaluation text COLLATE "C",
  outcome text NOT NULL,
  waited_ms integer,
  deliveries text[] NOT NULL,
  record bytea NOT NULL,
  replays json NOT NULL DEFAULT '[]',
  PRIMARY KEY (id, at)
) /* partitioned PARTITION BY RANGE (at) */;
CREATE INDEX ON decisions (at, id);
CREATE INDEX ON decisions (project, at, id);
CREATE INDEX ON decisions (project, iid, at, id);
CREATE INDEX ON decisions (outcome, at, id);
CREATE INDEX ON decisions (evaluation);
CREATE INDEX ON decisions USING gin (deliveries);

-- Decisions, their deliveries, and the deliveries of failed decisions, by the rules that matched (the rule '' stands for
-- all deliveries of failed decisions).
CREATE TABLE rule_matches (
  what text COLLATE "C" NOT NULL CHECK (what IN ('decision', 'delivery', 'failed delivery')),
  rule text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (what, rule, at, id)
);
CREATE INDEX ON rule_matches (what, at);

-- Sums for the dashboard: of a project (0: of none) for five minutes where the rule is '', of a rule for an hour. The
-- rule '#label' stands for all that label: its calls are counted.
CREATE TABLE counts (
  project bigint NOT NULL,
  rule text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  deliveries integer NOT NULL DEFAULT 0,
  unread integer NOT NULL DEFAULT 0,
  decisions integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  acted integer NOT NULL DEFAULT 0,
  matched integer NOT NULL DEFAULT 0,
  unknown integer NOT NULL DEFAULT 0,
  -- The last delivery of the project, or the last match of the rule.
  last timestamptz,
  PRIMARY KEY (project, rule, at)
) /* partitioned WITH (fillfactor = 70) */;
CREATE INDEX ON counts (at);
CREATE INDEX ON counts (at) WHERE rule = '#label';

CREATE TABLE rule_files (
  project bigint NOT NULL,
  path text COLLATE "C" NOT NULL,
  record json NOT NULL,
  -- The project of a valid included file.
  origin_project bigint,
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project, path)
);
CREATE INDEX ON rule_files (origin_project) WHERE origin_project IS NOT NULL;

-- Known: a delivery was about one of its merge requests. The service redirects former paths, which follow the present one.
CREATE TABLE projects (
  project bigint PRIMARY KEY,
  name json,
  paths text[] NOT NULL DEFAULT '{}',
  known_at timestamptz
);
CREATE INDEX ON projects USING gin (paths);

-- Small values about a project, or (project 0) about the whole service.
CREATE TABLE marks (
  project bigint NOT NULL,
  mark text COLLATE "C" NOT NULL,
  value json NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project, mark)
);

CREATE TABLE pushes (
  project bigint NOT NULL,
  branch text COLLATE "C" NOT NULL,
  delivery text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  push json NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project, branch, delivery)
);

-- One for each target branch that had an entry; the record is null until its first run.
CREATE TABLE merge_queues (
  project bigint NOT NULL,
  target text COLLATE "C" NOT NULL,
  record json,
  PRIMARY KEY (project, target)
);

CREATE TABLE audit (
  id text COLLATE "C" PRIMARY KEY,
  at timestamptz NOT NULL,
  entry json NOT NULL
);
CREATE INDEX ON audit (at, id);
