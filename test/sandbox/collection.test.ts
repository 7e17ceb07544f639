// Collections: found by id and by key, also after changes.
import { expect, test } from 'vitest'
import { createCollection } from '../../src/sandbox/collection.ts'

const make = () => createCollection<{ id: number; colour: string }, 'colour'>({ colour: (record) => record.colour })

test('a record is found under its present key only, in order of id', () => {
  const things = make()
  for (const id of [3, 1, 2]) things.add({ id, colour: 'red' })
  things.update(1, { colour: 'blue' })
  expect(things.where('colour', 'red').map((thing) => thing.id)).toEqual([2, 3])
  expect(things.where('colour', 'blue').map((thing) => thing.id)).toEqual([1])
  things.remove(2)
  expect([things.all().map((thing) => thing.id), things.where('colour', 'red').length]).toEqual([[1, 3], 1])
})

test('a record that was read does not change under its reader', () => {
  const things = make()
  const before = things.add({ id: 1, colour: 'red' })
  things.update(1, { colour: 'blue' })
  expect(before.colour).toBe('red')
})

test('updating what is not there throws', () => {
  expect(() => make().update(7, { colour: 'red' })).toThrow('no record 7')
})
