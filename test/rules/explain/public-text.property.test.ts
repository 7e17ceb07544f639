// Whatever rules, templates and commands there are: nothing that some reader may not read is in a call.
import fc from 'fast-check'
import { type DecideInput, decide } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Fact } from '../../../src/rules/facts/definition/fact.ts'
import { facts } from '../../../src/rules/facts/index.ts'
import type { RuleFileInForce } from '../../../src/rules/language/values/rule-types.ts'
import type { Call, SourceAnswers } from '../../../src/rules/types.ts'
import { alice, happened, note } from '../over-time.ts'
import { closing, issueAnswers, member, visible } from '../private-world.ts'
import { answer, factsOf, file, input, refused } from '../world.ts'

const SECRET = 's3cret'
/** The number of a hidden issue gives it away as well. */
const HIDDEN_IID = 4815162342
const isTold = (text: string) => text.includes(SECRET) || text.includes(String(HIDDEN_IID))

const events = [note(), happened('merge_request.update', 'd2')]

const everyFact = factsOf('merge_request')
const ofEvents = (name: string) => everyFact.some(([each, fact]) => each === name && fact.ofEvents === true)
const restricted = everyFact.flatMap(([name, fact]) => (fact.readPublic === undefined ? [] : [name]))
const nameFor = (onEvents: boolean) => {
  const names = everyFact.map(([name]) => name).filter((name) => onEvents || !ofEvents(name))
  return fc.oneof(fc.constantFrom(...restricted.filter((name) => names.includes(name))), fc.constantFrom(...names))
}

/** `secret`: the rule's own text is private, as that of an operator is. */
function conditionFor(onEvents: boolean, secret: string): fc.Arbitrary<string> {
  const leaf = nameFor(onEvents).map((name) => {
    const { type, example } = (facts as Record<string, Fact>)[name] as Fact
    if (type.name === 'list') return `{ ${name}: { none: "${secret}x" } }`
    return type.name === 'text' ? `{ ${name}: { not: "${secret}x" } }` : `{ ${example} }`
  })
  const parts = fc.array(leaf, { minLength: 1, maxLength: 3 }).map((list) => list.join(', '))
  return fc.oneof(
    leaf,
    fc.tuple(fc.constantFrom('any', 'all'), parts).map(([word, list]) => `{ ${word}: [${list}] }`),
    leaf.map((inner) => `{ not: ${inner} }`),
    fc.constant('{ draft: false }'),
  )
}

const templateFor = (onEvents: boolean) =>
  fc
    .array(nameFor(onEvents), { minLength: 1, maxLength: 4 })
    .map((names) => names.map((name) => `${name} {{ ${name} }}`).join('; '))

const LONGEST_TITLE = 255

function ruleFor(secret: string): fc.Arbitrary<(index: number) => string> {
  return fc
    .constantFrom('', 'on: note.create', 'on: [merge_request.*]', 'command: tell')
    .chain((on) =>
      fc.record({
        on: fc.constant(on),
        condition: conditionFor(on !== '', secret),
        text: templateFor(on !== ''),
        action: fc.constantFrom(
          ...['comment', 'approve', 'assign', 'milestone', 'review'],
          ...(on === '' ? ['while'] : ['title', 'description']),
        ),
        mode: fc.constantFrom('act', 'observe', 'off'),
      }),
    )
    .filter(({ action, text }) => action !== 'title' || text.length <= LONGEST_TITLE)
    .map(({ on, condition, text, action, mode }) => {
      const actions: Record<string, string> = {
        comment: `comment: "${text}"`,
        while: `comment: { while: "${text}" }`,
        title: `update: { title: "${text}" }`,
        description: `update: { description: "${text}" }`,
        approve: 'approve: true',
        assign: 'assign: carol',
        // It is nowhere to be found, so this is held back and its detail names it.
        milestone: `milestone: "${secret}m"`,
        review: 'review: carol',
      }
      const head = [`  - name: "${secret}rule %"`, `    mode: ${mode}`, ...(on === '' ? [] : [`    ${on}`])]
      return (index: number) =>
        `${head.join('\n').replace('%', String(index))}\n    if: ${condition}\n    then: { ${actions[action]} }\n`
    })
}
const rulesOf = (secret: string) =>
  fc
    .array(ruleFor(secret), { maxLength: 4 })
    .map((list) => (list.length === 0 ? undefined : `rules:\n${list.map((each, at) => each(at)).join('')}`))

const files = fc
  .tuple(rulesOf(''), rulesOf(SECRET), rulesOf(SECRET))
  .map(([own, ofOperator, included]): RuleFileInForce[] => [
    ...(ofOperator === undefined ? [] : [file(ofOperator, { path: `rules/${SECRET}.yml` })]),
    ...(own === undefined ? [] : [file(own, { trust: 'repository' })]),
    ...(included === undefined
      ? []
      : [
          {
            ...file(included, { trust: 'repository', path: `${SECRET}/project:rules.yml` }),
            origin: { project: 66, path: 'rules.yml' },
          },
        ]),
  ])

const hidden = (fields: object) =>
  closing({ iid: HIDDEN_IID, title: `${SECRET} title`, labels: [`${SECRET}-label`], ...fields })
const blocking = (project_id: number) => ({
  id: project_id,
  blocking_merge_request: {
    ...{ iid: HIDDEN_IID, project_id, state: 'opened', title: `${SECRET} change`, description: null },
    references: { full: `${SECRET}/app!${HIDDEN_IID}` },
  },
})
const open = closing({ iid: 12, title: 'everybody’s title', labels: ['everybody'], project_id: 1 })
const issues = fc.subarray(
  [
    open,
    hidden({ project_id: 55 }),
    hidden({ project_id: 56, confidential: true }),
    hidden({ project_id: 1, confidential: true }),
    hidden({ project_id: 57 }),
    { id: `${SECRET}-3`, title: `${SECRET} elsewhere` },
  ],
  { minLength: 1 },
)
const refusable = [
  ...['approvals', 'participants', 'commits', 'changes', 'versions', 'mergedOfAuthor', 'pipelines', 'project'],
  ...['closesIssues'],
]

const world = fc.record({
  files,
  issues,
  refused: fc.subarray(refusable, { maxLength: 3 }),
  internal: fc.boolean(),
  member: fc.boolean(),
  policy: fc.constantFrom<DecideInput['policy']>(undefined, { mode: 'act', issues: 'any' }),
  broken: fc.boolean(),
  takenBack: fc.boolean(),
})

function answersFor(given: {
  issues: unknown[]
  refused: string[]
  internal: boolean
  member: boolean
}): SourceAnswers {
  const access = given.member ? member(40) : refused(404, `${SECRET} is no member`)
  const body = `@bellhop why\n@bellhop tell\n${given.internal ? `@bellhop ${SECRET}` : ''}`
  return {
    ...issueAnswers(given.issues, {
      ...{
        'otherProject@55': visible('private'),
        'otherProject@56': visible('public'),
        'otherProject@57': visible('public', 'private'),
      },
      ...{
        authorAccess: access,
        'authorAccessIn@55': access,
        'authorAccessIn@56': access,
        'authorAccessIn@57': access,
      },
      blocks: answer([55, 56].map(blocking)),
      participants: answer([alice, { id: 4, username: `${SECRET}-person` }]),
      'note@17': answer({ id: 17, body, author: alice, system: false, internal: given.internal }),
      'actorAccess@2': member(40),
      'user@carol': answer([]),
      ...{ [`milestone@${SECRET}m`]: answer([]), 'milestone@m': answer([]) },
    }),
    ...Object.fromEntries(given.refused.map((name) => [name, refused(403, `403 ask ${SECRET}/owners`)])),
  }
}

function callsOf(
  given: Parameters<typeof answersFor>[0] & {
    files: RuleFileInForce[]
    policy: DecideInput['policy']
    broken: boolean
    takenBack: boolean
  },
) {
  const by = `rules/gone.yml#${SECRET}`
  const result = decide(
    input(
      given.files.map((each) => (given.broken && each.trust === 'operator' ? { ...each, broken: true } : each)),
      {
        answers: answersFor(given),
        events,
        memory: given.takenBack
          ? { ...emptyMemory(), restrained: { approve: { head: 'a'.repeat(40), by } } }
          : emptyMemory(),
        ...(given.policy === undefined ? {} : { policy: given.policy }),
      },
    ),
  )
  if ('needs' in result) throw new Error(`needs ${result.needs.join(', ')}`)
  return result.decision.calls
}

const written = ({ params: { body, title, description } }: Call) =>
  [body, title, description].filter((each) => typeof each === 'string')

describe('what Bellhop writes', () => {
  it('has nothing in it that some reader may not read, whatever the rules, templates and commands are', () => {
    const seen = { answers: 0, quotes: 0, open: 0 }
    fc.assert(
      fc.property(world, (given) => {
        const texts = callsOf(given).flatMap(written)
        for (const text of texts) {
          expect(text).not.toSatisfy(isTold)
          if (text.includes('\n\nEvaluated at')) seen.answers += 1
          if (text.includes('not shown here')) seen.quotes += 1
          if (text.includes('everybody')) seen.open += 1
        }
      }),
      { numRuns: 200 },
    )
    // It would mean nothing of notes that tell nothing.
    expect(Math.min(seen.answers, seen.quotes, seen.open)).toBeGreaterThan(8)
  })
  it('would be found out: the trace that is not for everybody has it', () => {
    const files = [
      file('rules:\n  - name: r\n    if: { closes_issue_titles: { none: x } }\n    then: { approve: true }\n', {
        trust: 'repository',
      }),
    ]
    const given = { issues: [hidden({ project_id: 55 })], refused: [], internal: false, member: true }
    const result = decide(input(files, { answers: answersFor(given) }))
    expect(JSON.stringify(result)).toSatisfy(isTold)
  })
})
