// Statements that are joined to one: each keeps its own values, and the last one tells the rows.
import { together } from '../../../src/journal/database/database.ts'

test('one statement alone stays as it is', () => {
  expect(together([{ text: 'SELECT $1', values: ['a'], as: 'named' }])).toEqual(['SELECT $1', ['a']])
})

test('all run as steps of the last, each with its own values, also those that it uses twice or out of order', () => {
  const eleven = Array.from({ length: 11 }, (_, at) => at)
  const joined = together([
    { text: 'DELETE FROM a WHERE b = $1 OR c = $1', values: ['x'] },
    {
      text: `INSERT INTO d VALUES (${eleven.map((at) => `$${at + 1}`).join(', ')}) RETURNING 1`,
      values: eleven,
      as: 'saved',
    },
    { text: 'SELECT $2, $1 FROM saved', values: ['y', 'z'] },
  ])
  expect(joined).toEqual([
    'WITH step_0 AS (DELETE FROM a WHERE b = $1 OR c = $1), ' +
      'saved AS (INSERT INTO d VALUES ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING 1) ' +
      'SELECT $14, $13 FROM saved',
    ['x', ...eleven, 'y', 'z'],
  ])
})
