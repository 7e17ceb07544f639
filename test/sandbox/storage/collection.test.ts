// Collections: found by id and by key, in order, also after changes.
import fc from 'fast-check'
import { createCollection } from '../../../src/sandbox/storage/collection.ts'

interface Thing {
  id: number
  colour: string
  size: number
}
const make = () => createCollection<Thing>()({ colour: 'colour', size: (thing) => thing.size })

test('a record that was read does not change under its reader, nor does a list', () => {
  const things = make()
  const before = things.add({ id: 1, colour: 'red', size: 1 })
  const listed = things.where('colour', 'red')
  things.update(1, { size: 2 })
  things.add({ id: 2, colour: 'red', size: 1 })
  expect(before.size).toBe(1)
  expect(listed).toEqual([before])
})

test('an update with an undefined field leaves that field as it is', () => {
  const things = make()
  things.add({ id: 1, colour: 'red', size: 1 })
  expect(things.update(1, { colour: undefined, size: 2 })).toEqual({ id: 1, colour: 'red', size: 2 })
})

test('updating a missing record and adding an existing one throw', () => {
  const things = make()
  expect(() => things.update(7, { colour: 'red' })).toThrow('no record 7')
  things.add({ id: 7, colour: 'red', size: 1 })
  expect(() => things.add({ id: 7, colour: 'blue', size: 1 })).toThrow('record 7 already')
  expect(things.count('colour', 'blue')).toBe(0)
})

const colours = ['red', 'green', 'blue']
const anId = fc.integer({ min: 1, max: 12 })
const aThing = fc.record({ colour: fc.constantFrom(...colours), size: fc.integer({ min: 0, max: 2 }) })
type Step = { do: 'add' | 'update' | 'remove' | 'list'; id: number; thing: { colour: string; size: number } }
const aStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('add', 'update', 'remove', 'list'),
  id: anId,
  thing: aThing,
})

/** As simple as can be: an array, sorted and filtered at each question. */
function naive() {
  let things: Thing[] = []
  return {
    has: (id: number) => things.some((thing) => thing.id === id),
    put(thing: Thing) {
      things = [...things.filter((each) => each.id !== thing.id), thing]
    },
    remove(id: number) {
      things = things.filter((each) => each.id !== id)
    },
    all: (wanted: (thing: Thing) => boolean = () => true) => things.filter(wanted).sort((a, b) => a.id - b.id),
  }
}

test('a collection behaves as a filtered and sorted array', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
      const things = make()
      const model = naive()
      for (const { do: what, id, thing } of steps) {
        if (what === 'add' && !model.has(id)) {
          things.add({ id, ...thing })
          model.put({ id, ...thing })
        }
        if (what === 'update' && model.has(id)) {
          things.update(id, thing)
          model.put({ id, ...thing })
        }
        if (what === 'remove') {
          things.remove(id)
          model.remove(id)
        }
        // A read between changes: what is remembered for it must not outlive them.
        if (what === 'list')
          expect(things.where('colour', thing.colour)).toEqual(model.all((each) => each.colour === thing.colour))
      }
      expect(things.all()).toEqual(model.all())
      for (let id = 1; id <= 12; id += 1) expect(things.get(id)).toEqual(model.all((each) => each.id === id)[0])
      for (const colour of [...colours, 'none']) {
        const expected = model.all((each) => each.colour === colour)
        expect(things.where('colour', colour)).toEqual(expected)
        expect(things.first('colour', colour)).toEqual(expected[0])
        expect(things.count('colour', colour)).toBe(expected.length)
      }
      for (const size of [0, 1, 2]) expect(things.where('size', size)).toEqual(model.all((each) => each.size === size))
    }),
  )
})
