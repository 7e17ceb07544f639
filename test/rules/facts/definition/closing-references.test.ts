// Which issues a text names, and which it closes by the default pattern of the service.
import { closedBy, mayNameIssues } from '../../../../src/rules/facts/definition/closing-references.ts'
import { processorTimeOf } from '../../processor-time.ts'

const place = { own: 'acme/door', page: 'https://code.example.com/git/acme/door' }

describe('a text closes', () => {
  it.each<[string, string[]]>([
    ['Closes #1', ['acme/door#1']],
    ['It fixes: lock#2 and closes acme/vault#3, other/deep/app#4', ['acme/lock#2', 'acme/vault#3', 'other/deep/app#4']],
    ['RESOLVED issue #5,  and issues acme/vault#6', ['acme/door#5', 'acme/vault#6']],
    ['implements https://code.example.com/git/other/app/-/issues/7', ['other/app#7']],
    ['Fix https://code.example.com/git/other/app/work_items/8', ['other/app#8']],
    ['Closes https://code.example.com/git/other/app/-/issues/incident/9', ['other/app#9']],
    [`Closes:${' '.repeat(40)}acme/vault#10`, ['acme/vault#10']],
    ['Closes acme/vault#00000000000011', ['acme/vault#11']],
    [
      'Closes #12+, acme/vault#13+s and GL-14, acme/vault#15',
      ['door#12', 'vault#13', 'door#14', 'vault#15'].map((name) => `acme/${name}`),
    ],
    [
      'Fixes [issue:16], [work_item:vault/17] and [issue:other/app/18]',
      ['acme/door#16', 'acme/vault#17', 'other/app#18'],
    ],
    ['Closes https://elsewhere.example/other/app/-/issues/9', []],
    ['See #1, group/app#2', []],
    ['Discloses #1', []],
    ['Closes#1', []],
    ['Closes #1x', []],
  ])('%s', (text, expected) => {
    expect(closedBy(text, place)).toEqual(expected)
  })
  it('by keywords without end in linear time', () => {
    const readBoth = () => {
      closedBy(
        `${'closes '.repeat(20_000)}${'a.'.repeat(20_000)}${'issue '.repeat(20_000)}${' '.repeat(20_000)}`,
        place,
      )
      closedBy(`closes ${'#1'.repeat(20_000)}${'closes [issue:'.repeat(9_000)}${'1'.repeat(90_000)}x`, place)
    }
    expect(processorTimeOf(readBoth)).toBeLessThan(5_000)
  })
})

describe('a text may name an issue', () => {
  it.each([
    ...['#1', 'Schließt app#12', 'https://x/a/b/-/issues/3', 'https://x/a/b/-/issues/incident/3', '/work_items/4'],
    ...['[issue:a/b/5]', 'gl-6'],
  ])('%s', (text) => {
    expect(mayNameIssues(text)).toBe(true)
  })
  it.each(['', 'Add a door', 'version 2.0', 'number # 1', 'issues'])('but not: %s', (text) => {
    expect(mayNameIssues(text)).toBe(false)
  })
})
