// The task items of the description, as the service counts them.
import fc from 'fast-check'
import { actualOf, unsaid } from '../actual.ts'

/** How many are open, and how many done. */
const counts = (description: unknown) =>
  ['checklist_open: 0', 'checklist_done: 0'].map((each) => actualOf(each, { description }))

describe('the checklist', () => {
  it.each([
    ['no items', 'Some text\n- a list\n- [link](x)', 0, 0],
    ['items of each kind of list', '- [ ] a\n\n* [ ] b\n\n+ [x] c\n\n1. [X] d\n\n2) [ ] e', 3, 2],
    ['items that do not apply', '- [~] a\n- [ ] b\n- [x] c', 1, 1],
    ['nested items', '- [ ] a\n  - [x] b\n    1. [ ] c', 2, 1],
    ['items in a quote and behind a heading', '> - [ ] a\n\n# T\n- [x] b', 1, 1],
    ['items with line ends of Windows', '- [ ] a\r\n- [x] b\r\n', 1, 1],
    ['items in code', '```\n- [ ] a\n```\n\n    - [ ] b\n\n`- [ ] c`\n~~~~\n- [x] d', 0, 0],
    ['items in a comment', '<!--\n- [ ] a\n-->', 0, 0],
    ['boxes that are no items', '[ ] a\n- a [ ] b\n- [  ] c\n- [y] d\n- []\n- [ ]\n- [x]e', 0, 0],
    ['a paragraph of an item', '- a\n\n  [ ] b', 0, 0],
    ['the box of Renovate', '- [ ] <!-- rebase-check -->If you want to rebase, check this box', 1, 0],
  ])('of %s', (_what, description, open, done) => {
    expect(counts(description)).toEqual([`${open}`, `${done}`])
  })
  it.each([
    [null, ['0', '0']],
    ['', ['0', '0']],
    [undefined, [unsaid, unsaid]],
    [['- [ ] a'], [unsaid, unsaid]],
  ])('of the description %j', (description, expected) => {
    expect(counts(description)).toEqual(expected)
  })
  it('of a description that is too long is unknown', () => {
    expect(counts('- [ ] a\n'.repeat(12_501))[0]).toMatch(/^unknown: a description of more than 100000 characters/)
  })
  it.each([
    ...['> ', '- ', '  - ', '1. ', '[a]: ', '[a]: <', '```', '~~~\n', '# ', '- [ ] ', '*\t', '<a>\n', '\n', '['],
    ...['|-|\n', '\\'],
  ])('of 100,000 characters %j is counted', (part) => {
    expect(counts(part.repeat(Math.floor(100_000 / part.length)))[0]).toMatch(/^\d+$/)
  })
  it('is a count, whatever the description is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('- ', '[ ]', '[x]', '> ', '\n', '```', '  ', 'a', '1. ', '<!--')),
        (parts) => {
          for (const each of counts(parts.join(''))) expect(each).toMatch(/^\d+$/)
        },
      ),
    )
  })
})
