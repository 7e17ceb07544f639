// Templates: places for facts and nothing else; values are hostile text that stays text.
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import { fill, fillWhole, namesIn, withoutQuickActions } from '../../../src/rules/language/templates.ts'
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { happened } from '../over-time.ts'
import { answers, change, changesAnswer, input, problemsIn } from '../world.ts'

const view = (fields: Record<string, unknown> = {}, other: SourceAnswers = {}) =>
  createView(input([], { answers: answers(fields, other) }), happened('push').event)
const filled = (text: string, fields: Record<string, unknown> = {}) => fill(text, view(fields))
/** A title as it comes out of a note. */
const said = (title: string) => filled('{{ title }}', { title })
const ZERO_WIDTH = '\u200b'
const visible = (text: string) => text.replaceAll(ZERO_WIDTH, '')

describe('a template', () => {
  it('names its facts in order', () => {
    expect(namesIn('{{ title }} by {{author}}, {{  title  }}')).toEqual(['title', 'author', 'title'])
  })
  it.each([
    ['a text', '{{ title }}', {}, 'Add a door'],
    ['nothing but a text', 'no place', {}, 'no place'],
    ['a place without spaces', 'by {{author}}.', {}, 'by alice.'],
    ['a list', '{{ labels }}', { labels: ['a', 'b'] }, 'a, b'],
    ['an empty list', '[{{ labels }}]', { labels: [] }, '[]'],
    ['nobody', '{{ assignee }}', {}, 'none'],
    ['a duration', '{{ time_estimate }}', { time_stats: { time_estimate: 5400 } }, '1h30m'],
    ['a yes', '{{ squash }}', { squash: true }, 'true'],
    ['a number', '{{ upvotes }}', { upvotes: 3 }, '3'],
    ['what is not known', '{{ title }}', { title: undefined }, '(unknown)'],
    ['a fact of the event', '{{ actor }}', {}, 'alice'],
  ])('fills in %s', (_what, text, fields, expected) => {
    expect(filled(text, fields)).toBe(expected)
  })
  it('shows that a list was cut', () => {
    const cut = { changes: changesAnswer([change('a.ts'), change('b.ts')], { changes_count: '9' }) }
    expect(fill('{{ changed_files }}', view({}, cut))).toBe('a.ts, b.ts, …')
  })
  it('fills in once: a value that looks like a place, or like a pattern of a replacement, is a text', () => {
    expect(visible(said('{{ description }} $& $1 $$'))).toBe('{{ description }} $& $1 $$')
  })
})

describe('a value cannot', () => {
  it.each([
    ['call people', 'hi @all and @alice', /@\w/],
    ['call people by a carriage return that the service drops', '@\rall', /@\r?a/],
    ['merge', '/merge', /^\s*\/merge/m],
    ['merge on its second line', 'a\n  /merge', /^\s*\/merge/m],
    ['forge Bellhop’s mark', '<!-- bellhop:0123456789abcdef -->', /<!--/],
    ['hide what follows in a comment', '<!-- ', /<!--/],
    ['hide what follows in a tag', '<details><summary>x</summary>', /<[a-z/]/],
    ['hide what follows in code', '```\n~~~~', /`{3}|~{3}/],
  ])('%s', (_what, title, forbidden) => {
    expect(title).toMatch(forbidden)
    expect(said(title)).not.toMatch(forbidden)
    expect(visible(said(title))).toBe(title.replace('\r', '\n'))
  })
  it.each([
    ['with the text before it', '/{{ title }}', 'merge', /^\/merge/m],
    ['behind an empty one', '{{ description }}{{ title }}', '/merge', /^\/merge/m],
    ['as a comment with the text before it', '<{{ title }}', '!-- x', /<!--/],
  ])('act %s', (_what, text, title, forbidden) => {
    expect(filled(text, { title, description: '' })).not.toMatch(forbidden)
  })
  it('be longer than a note can bear', () => {
    expect(said('x'.repeat(100_000))).toBe(`${'x'.repeat(2000)}…`)
  })
  it('be cut through a character', () => {
    const text = said(`x${'🚪'.repeat(50_000)}`)
    expect(text.length).toBeLessThan(2002)
    expect(JSON.stringify(text)).not.toContain('\\ud')
  })
  it('make filling slow', () => {
    const lines = '\n'.repeat(200_000)
    expect(withoutQuickActions(lines)).toBe(lines)
    expect(said('@'.repeat(100_000)).length).toBeLessThan(5000)
  })
})

it.each(['fix(core): a < b && c > d', 'mail me at work', 'and/or', '1 - 2 -- 3', '`code`', 'a!b'])(
  'an ordinary value %s stays as it is',
  (title) => {
    expect(said(title)).toBe(title)
  },
)

describe('the text of the rule itself', () => {
  it('may mention people and hold a comment', () => {
    expect(filled('Thank you, @{{ author }}. <!-- x -->')).toBe('Thank you, @alice. <!-- x -->')
  })
  it('has no quick actions: what a rule does, it says as an action', () => {
    expect(filled('Done.\n/merge\n /close')).toBe(`Done.\n${ZERO_WIDTH}/merge\n ${ZERO_WIDTH}/close`)
  })
})

describe('a text that takes the place of another', () => {
  it('has its own value whole, as it is', () => {
    const description = `<!-- template --> @alice\n${'x'.repeat(5000)}`
    expect(fillWhole('{{ description }}!', 'description', view({ description }))).toEqual({ text: `${description}!` })
  })
  it('has other values whole, and harmless', () => {
    const whole = fillWhole('{{ description }}', 'title', view({ description: `@alice ${'x'.repeat(5000)}` }))
    expect(whole).toEqual({ text: `@${ZERO_WIDTH}alice ${'x'.repeat(5000)}` })
  })
  it('is none where something is not known', () => {
    expect(fillWhole('{{ title }} {{ description }}', 'title', view({ title: undefined }))).toEqual({
      unknown: ['title'],
    })
  })
})

describe('a rule file', () => {
  const problems = (text: string, on = '') => {
    return problemsIn(
      `rules:\n  - name: a\n${on}    if: { state: opened }\n    then:\n      comment: ${JSON.stringify(text)}\n`,
      'f.yml',
    )
  }
  const place = 'f.yml:5:16: rules[0].then.comment:'
  const at = `${place} expected`
  const aFact = 'expected the name of a fact between {{ and }}'
  it.each([
    ['{{ titles }}', `${place} did you mean "title"? Found "titles", ${aFact}`],
    // Only rules with on: know the actor.
    ['{{ autor }}', `${place} did you mean "author"? Found "autor", ${aFact}`],
    ['{{ actr }}', `${place} expected the name of a fact between {{ and }}, found "actr"`],
    ['{{ }}', `${at} the name of a fact between {{ and }}, found ""`],
    ['{{ constructor }}', `${at} the name of a fact between {{ and }}, found "constructor"`],
    ['{{ __proto__ }}', `${at} the name of a fact between {{ and }}, found "__proto__"`],
    ['{{ title.length }}', `${at} the name of a fact between {{ and }}, found "title.length"`],
    ['{{ title }', `${at} a }} behind each {{, found "{{ title }"`],
    ['{{ actor }}', `${at} a rule with on:, where actor is known, found {{ actor }} in a rule without on:`],
    [' ', `${at} a text, with {{ fact }} where a fact is to stand, found " "`],
  ])('with %j is refused', (text, expected) => {
    expect(problems(text)).toEqual([expected])
  })
  it('with a text that is too long is refused', () => {
    expect(problems('x'.repeat(10_001))[0]).toContain(`${at} a text of at most 10000 characters`)
  })
  it('may name the event’s facts where there is an event', () => {
    expect(problems('{{ actor }}', '    on: push\n')).toEqual([])
  })
})
