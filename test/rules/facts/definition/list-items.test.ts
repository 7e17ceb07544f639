// Lists as services send them.
import { describe, expect, it } from 'vitest'
import { items } from '../../../../src/rules/facts/definition/list-items.ts'

describe('the items of a list', () => {
  it.each([
    [
      ['a', null],
      ['a', undefined],
    ],
    [[], []],
    ['ab', undefined],
    [{ length: 1 }, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j are %j', (list, expected) => {
    expect(items(list as never)).toEqual(expected)
  })
})
