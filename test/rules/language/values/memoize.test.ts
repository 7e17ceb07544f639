// Cached results: the same answers, made once for each key while it is cached.
import { expect, it } from 'vitest'
import { memoize } from '../../../../src/rules/language/values/memoize.ts'

it('makes each result once while it is cached, and evicts the least recently used', () => {
  const made: string[] = []
  const double = memoize(2, (key: string) => {
    made.push(key)
    return [key + key]
  })
  expect(['a', 'a', 'b', 'a', 'c', 'a', 'b'].flatMap(double)).toEqual(['aa', 'aa', 'bb', 'aa', 'cc', 'aa', 'bb'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})
