// Whether picks bring what the merge request showed.
import { describe, expect, it } from 'vitest'
import { isSameChange } from '../../../../src/rules/actions/definition/backport-comparison.ts'

const change = {
  ...{ old_path: 'a', new_path: 'a', a_mode: '100644', b_mode: '100644' },
  ...{ new_file: false, renamed_file: false, deleted_file: false, diff: '@@ -1,2 +1,2 @@\n x\n-one\n+two\n' },
}
const text = (diff: string) => [{ ...change, diff }]

describe('picks bring the same change', () => {
  it.each<[string, object[]]>([
    ['with the same lines', [change]],
    ['at another place of the file', text('@@ -9,2 +9,2 @@ f()\n y\n-one\n+two\n')],
  ])('%s', (_what, made) => {
    expect(isSameChange([change], made)).toBe(true)
  })
})

describe('picks bring another change', () => {
  it.each<[string, unknown]>([
    ['with another line', text('@@ -1,2 +1,2 @@\n x\n-one\n+three\n')],
    ['with one line more', text('@@ -1,2 +1,3 @@\n x\n-one\n+two\n+three\n')],
    ['with a file more', [change, { ...change, new_path: 'b' }]],
    ['with a file less', []],
    ['in another file', [{ ...change, new_path: 'b' }]],
    ['with another mode', [{ ...change, b_mode: '100755' }]],
    ['where it deletes the file', [{ ...change, deleted_file: true }]],
    ['where a difference is not shown', text('Binary files a and b differ\n')],
    ['where the list cannot be read', undefined],
  ])('%s', (_what, made) => {
    expect(isSameChange([change], made)).toBe(false)
    expect(isSameChange(made, [change])).toBe(false)
  })
})
