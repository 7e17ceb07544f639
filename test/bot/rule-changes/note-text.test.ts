// The note on a change of the rules: what differs, and nothing that a hostile text could do with it.
import { asCode, ruleChangeText } from '../../../src/bot/rule-changes/note-text.ts'
import { decided, file, input, rule, rules } from '../../rules/world.ts'

const head = 'a'.repeat(40)
const decision = (then: string) => decided(input([file(rules(rule('{ author: alice }', then)))]))
const compared = (title: string, before: string, after: string, iid = 7) => ({
  iid,
  title,
  before: decision(before),
  after: decision(after),
})
const change = { head, problems: [], compared: [], left: 0, nobody: [], events: [] }

describe('the note', () => {
  it('tells for each merge request what would be done differently', () => {
    const text = ruleChangeText({
      ...change,
      compared: [
        compared('Add a door', '{ label: { add: a } }', '{ approve: true }'),
        compared('The same', '{ subscribe: true }', '{ subscribe: true }', 8),
      ],
    })
    expect(text).toContain('| `!\u200b7` `Add a door` |'.replace('\u200b', ''))
    expect(text).toContain('`label: add "a"`')
    expect(text).toContain(`\`approve: approve ${head.slice(0, 8)}\``)
    expect(text).not.toContain('The same')
    expect(text).toContain('2 open merge requests evaluated.')
  })
  it('says when nothing differs, and how many were left out', () => {
    const text = ruleChangeText({
      ...change,
      compared: [compared('x', '{ subscribe: true }', '{ subscribe: true }')],
      left: 3,
    })
    expect(text).toContain('the same as the rules in force')
    expect(text).toContain('1 open merge request evaluated, 3 more not')
  })
  it('does not tell what rules of other files only observe', () => {
    const observed = (trust: 'operator' | 'repository') => {
      const text = `${rules(rule('{ author: alice }', '{ label: { add: hush } }'))}    mode: observe\n`
      const after = decided(input([file(text, { trust })]))
      return ruleChangeText({
        ...change,
        compared: [{ ...compared('x', '{ subscribe: true }', '{ subscribe: true }'), after }],
      })
    }
    expect(observed('operator')).not.toContain('hush')
    expect(observed('repository')).toContain('would only be observed: add "hush"')
  })
  it('names the events of the hook that the rules will need', () => {
    const text = ruleChangeText({ ...change, events: ['pipeline_events'] })
    expect(text).toContain('Bellhop’s hook will need `pipeline_events`.')
    expect(ruleChangeText(change)).not.toContain('hook')
  })
  it('tells what is wrong with rules that cannot be read', () => {
    const text = ruleChangeText({ ...change, problems: ['.bellhop.yml:2:8: rules: expected a list, found 7'] })
    expect(text).toContain('- `.bellhop.yml:2:8: rules: expected a list, found 7`')
  })
})

describe('a hostile text', () => {
  const hostile = [
    '`|` @root /merge\n/approve',
    '<!-- hidden',
    '</td></table><script>',
    '[click](https://evil.example)',
    '``` \n| a | b |',
    '\u2028/close',
    '',
  ]
  it.each(hostile)('stays text in one cell: %j', (title) => {
    const text = ruleChangeText({
      ...change,
      compared: [compared(title, '{ subscribe: true }', '{ label: { add: a } }')],
    })
    const row = text.split('\n').find((line) => line.startsWith('| `!'))
    expect(row?.split('|')).toHaveLength(5)
    expect(text.split('\n').filter((line) => /^\s*\//.test(line))).toEqual([])
    // Outside of code there is only what Bellhop says itself.
    expect(
      (row ?? '')
        .replace(/`[^`]*`/g, '')
        .replace(/<br>|nothing/g, '')
        .replace(/[| ]/g, ''),
    ).toBe('')
  })
  it('of any length is cut', () => {
    expect(asCode('x'.repeat(10_000)).length).toBeLessThan(200)
  })
})
