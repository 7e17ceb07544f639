// Rows that are deleted when nobody reads them.

/** A statement that notes that rows are read, once a day. */
export const touched = (table: string, key: string): string =>
  `UPDATE ${table} SET read_at = now() WHERE ${key} AND read_at < now() - interval '1 day'`
