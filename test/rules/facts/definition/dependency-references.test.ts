// What a description says it depends on.
import fc from 'fast-check'
import {
  dependencyReferences,
  dependencySources,
  MOST_REFERENCES,
  resolveReference,
  splitName,
} from '../../../../src/rules/facts/definition/dependency-references.ts'
import { processorTimeOf } from '../../processor-time.ts'

const place = { own: 'acme/door', root: 'https://code.example.com/git' }
/** The names; a text without a name as it is. */
const read = (description: string) =>
  dependencyReferences(description)?.map((each) => resolveReference(each, place) ?? 'unknown')
const page = (path: string) => `https://code.example.com/git/${path}`

describe('a line', () => {
  it.each([
    ['Depends on !12', ['!12']],
    ['Depends on: !12', ['!12']],
    ['depends-on: !12', ['!12']],
    ['DEPENDS ON !12.', ['!12']],
    ['**Depends on:** !12', ['!12']],
    ['**Depends on** !12, !13', ['!12', '!13']],
    ['- Depends on !12', ['!12']],
    ['1. Depends on !12', ['!12']],
    ['## Depends on !12', ['!12']],
    ['  Depends on !12', ['!12']],
    ['Text\nDepends on !12\nText', ['!12']],
    ['Depends on !12 (the hinge, see !13)', ['!12']],
    ['Depends on !12, group/app!7 and a/b/c.d!3; !4 & !5', ['!12', 'group/app!7', 'a/b/c.d!3', '!4', '!5']],
    ['Depends on !12\r\nDepends on !13\r\n', ['!12', '!13']],
    ['Depends on !12, !12\nDepends on !12', ['!12']],
    ['Depends on acme/door!12, Acme/Door!13', ['!12', '!13']],
    ['Depends on hinge!12', ['acme/hinge!12']],
    ['Depends on !12+ and !13+s', ['!12', '!13']],
    [`Depends on ${page('group/app/-/merge_requests/3')}`, ['group/app!3']],
    [`Depends on ${page('group/app/merge_requests/3')}.`, ['group/app!3']],
    [`Depends on <${page('acme/door/-/merge_requests/3/diffs#x')}>`, ['!3']],
    [`Depends on [the hinge](${page('group/app/-/merge_requests/3')}), !4`, ['group/app!3', '!4']],
    ['Depends on https://other.example.com/group/app/-/merge_requests/3', ['unknown']],
    ['Depends on https://code.example.com/group/app/-/merge_requests/3', ['unknown']],
    [`Depends on ${page('group/app/-/issues/3')}`, ['unknown']],
    ['Depends on https://code.example.com.evil/git/a/b/-/merge_requests/3', ['unknown']],
    ['<details>\nDepends on !12\n</details>', ['!12']],
    ['<!-- Say what it needs. -->\n\nDepends on !12', ['!12']],
    ['<!-- Say what it needs. --> \nDepends on !12', ['!12']],
    ['>>>\nA\n>>>\nDepends on !12', ['!12']],
    ['>>>\nDepends on !12', ['!12']],
  ])('%j names %j', (description, expected) => {
    expect(read(description)).toEqual(expected)
  })
  it.each([
    ...['It depends on !12', 'Depends on the door', 'Depends on #12', 'Depends only on !12', 'Depends onto !12'],
    ...['Dependson !12', 'Depends on !important', 'Depends on !12345678901', '```\nDepends on !12\n```'],
    ...['    Depends on !12', '`Depends on !12`', '> Depends on !12', '>>>\nDepends on !12\n>>>'],
    ...['<!--\nDepends on !12\n-->', '<!-- Depends on !12', 'Depends on:\n\n!12', ''],
  ])('%j names nothing', (description) => {
    expect(read(description)).toEqual([])
  })
})

it('needs what the service says for an address or a neighbour, and nothing for the rest', () => {
  const references = dependencyReferences(`Depends on !1, group/app!2, app!3, ${page('a/b/-/merge_requests/4')}`) ?? []
  expect(references.map((each) => resolveReference(each, {}))).toEqual(['!1', 'group/app!2', undefined, undefined])
})

it('stops after one more than are read, and reads no description that is too long', () => {
  const all = Array.from({ length: 50 }, (_, index) => `!${index + 1}`).join(', ')
  expect(dependencyReferences(`Depends on ${all}\nDepends on !99`)).toHaveLength(MOST_REFERENCES + 1)
  expect(dependencyReferences(`Depends on !1\n${'x'.repeat(100_000)}`)).toBeUndefined()
})

it('never throws, and reads hostile text in time', () => {
  const parts = [
    ...['Depends on ', '!1', 'a/b!2', '<!--', '-->', '[', '](', 'https://', '>', '\n', '* ', '`', ',', '/', '.'],
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 60 }), (some) => {
      for (const name of read(some.join('')) ?? []) expect(name).toMatch(/^([\w./-]*!\d+|unknown)$/)
    }),
  )
  const readAll = () => {
    for (const part of [...parts, 'a/', 'Depends on [', '<!-- x\n', 'Depends on a.b/'])
      read(`Depends on ${part.repeat(Math.floor(90_000 / part.length))}`)
  }
  expect(processorTimeOf(readAll)).toBeLessThan(10_000)
})

it('is read by the path of its project, or by its own', () => {
  const params = (instance?: string) => dependencySources.dependency.params({ project: 1, iid: 7 }, {}, instance)
  expect(params('!12')).toEqual({ id: 1, merge_request_iid: 12 })
  expect(params('group/app!7')).toEqual({ id: 'group/app', merge_request_iid: 7 })
  expect([params('!0'), params()]).toEqual([null, null])
  expect(splitName('group/app!7')).toEqual({ path: 'group/app', iid: 7 })
})
