// The records on disk.
import fc from 'fast-check'
import { openRecordStore } from '../../../src/sandbox/storage/record-store.ts'
import { createTransactions } from '../../../src/sandbox/storage/transactions.ts'
import { allCollections, createState, nextNumber, type State } from '../../../src/sandbox/storage/world.ts'
import { anyText } from '../../any-text.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { prepareDatabase } from '../../prepared-database.ts'

function directory(): string {
  const made = ownFolder().folder
  return made
}
const contents = (state: State) =>
  Object.fromEntries(allCollections(state).map(([name, collection]) => [name, collection.all()]))

const counterNames = ['labels', 'merge requests of 1', 'constructor', "it's"]
const aStep = fc.record({
  what: fc.constantFrom('put', 'remove', 'count'),
  id: fc.integer({ min: 1, max: 9 }),
  // Texts with NUL, lone surrogates, quotes and braces: all that a caller may send.
  text: anyText({ maxLength: 20 }),
  counter: fc.constantFrom(...counterNames),
})

test('a store that is opened again gives the same state after any additions, changes and removals', async () => {
  const at = await prepareDatabase(directory())
  let state = createState()
  let store = await openRecordStore(at, state)
  const transactions = createTransactions(state, store.write)
  for (const steps of fc.sample(fc.array(aStep, { minLength: 1, maxLength: 30 }), 8)) {
    const change = (step: (typeof steps)[number]) =>
      transactions.run(async () => {
        const label = {
          project_id: step.id % 3,
          title: step.text,
          color: '#123456',
          description: step.text,
          created_at: step.text,
        }
        if (step.what === 'count') nextNumber(state, step.counter)
        else if (step.what === 'remove') state.labels.remove(step.id)
        else if (state.labels.get(step.id) === undefined) state.labels.add({ id: step.id, ...label })
        else state.labels.update(step.id, label)
      })
    await Promise.all(steps.map(change))
  }
  // The steps may have removed every label; the comparison below needs a record.
  const kept = { project_id: 1, title: 'kept', color: '#123456', description: null, created_at: '2026-01-01' }
  await transactions.run(async () => void state.labels.add({ id: 10, ...kept }))
  const before = state
  await store.close()
  state = createState()
  store = await openRecordStore(at, state)
  await store.close()
  expect(state.labels.get(10)?.title).toBe('kept')
  expect(contents(state)).toEqual(contents(before))
})

test('a failed write leaves no part of itself; a record of an unknown kind is refused by name, not dropped', async () => {
  const at = await prepareDatabase(directory())
  const store = await openRecordStore(at, createState())
  const star = (id: number) => ({ collection: 'stars', id, body: `{"id":${id},"project_id":1,"user_id":1}` })
  await store.write([star(1), star(2)])
  const removed = { collection: 'stars', id: 1, body: null }
  await expect(store.write([removed, star(3), { ...star(4), body: '{' }])).rejects.toThrow()
  await store.close()
  const state = createState()
  const again = await openRecordStore(at, state)
  expect(state.stars.all().map(({ id }) => id)).toEqual([1, 2])
  await again.write([{ collection: 'snippets', id: 1, body: '{"id":1}' }])
  await again.close()
  const unknown = 'snippets, which this version of Bellhop does not know'
  await expect(openRecordStore(at, createState())).rejects.toThrow(unknown)
})
