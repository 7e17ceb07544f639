// Remembering results: the same answers, made once for each key while it is kept.
import { expect, it } from 'vitest'
import { remembered } from '../../src/rules/remembered.ts'

it('makes each result once while it is kept, and keeps the newest', () => {
  const made: string[] = []
  const double = remembered(2, (key: string) => {
    made.push(key)
    return key + key
  })
  expect(['a', 'a', 'b', 'a', 'c', 'a', 'b'].map(double)).toEqual(['aa', 'aa', 'bb', 'aa', 'cc', 'aa', 'bb'])
  // `b` was the one asked for longest ago when `c` came.
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

it('keeps by the object itself, and also that there is nothing', () => {
  const made: object[] = []
  const nothing = remembered(2, (from: object) => {
    made.push(from)
    return undefined
  })
  const [one, other] = [{}, {}]
  expect([one, other, one, other].map(nothing)).toEqual([undefined, undefined, undefined, undefined])
  expect(made).toEqual([one, other])
})
