// Mentions in a text: names of people and groups, and not what only looks like one.
import { expect, it } from 'vitest'
import { mentionsOf } from '../../../src/rules/lint/named-references.ts'

it.each([
  ['@alice, see this.', ['alice']],
  ['Dear @alice and (@hotel/front-desk).', ['alice', 'hotel/front-desk']],
  ['- **@alice**\n- @bob.smith.', ['alice', 'bob.smith']],
  ['@alice @alice', ['alice']],
  ['Write to help@example.com or git@host:a', []],
  ['Run `@alice` or\n\n```\n@bob\n```\n\n    @carol', []],
  ['See https://example.com/@alice and \\@bob', []],
  ['@{{ author }}, @team-{{ name }} and {{ author }}@bob', []],
  ['@all', []],
  ['@', []],
])('%j: %j', (text, expected) => {
  expect(mentionsOf(text)).toEqual(expected)
})
