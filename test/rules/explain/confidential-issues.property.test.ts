// Whatever the rules: what people wrote on a confidential issue is in no decision, and calls are for the issue alone.
import fc from 'fast-check'
import { endpointsByName } from '../../../src/api/index.ts'
import type { Action } from '../../../src/rules/actions/definition/action.ts'
import { isActionOf } from '../../../src/rules/actions/definition/action-calls.ts'
import { actions } from '../../../src/rules/actions/index.ts'
import { transientFacts } from '../../../src/rules/backtest/past-facts.ts'
import { type DecideInput, decide } from '../../../src/rules/engine/decide.ts'
import type { Decision } from '../../../src/rules/types.ts'
import { alice, happened, note as noteEvent } from '../over-time.ts'
import { answer, factsOf, file, input, ofIssue } from '../world.ts'

const SECRET = 's3cret'
const events = [noteEvent(), happened('issue.update', 'd2')]

const written = ['title', 'description', 'comment']
const names = factsOf('issue').flatMap(([name, { ofEvents }]) => (ofEvents === true ? [] : [name]))
const eventNames = factsOf('issue').map(([name]) => name)

const conditionOf = (known: readonly string[]) => {
  const leaf = fc.constantFrom(...known).map((name) => {
    const fact = factsOf('issue').find(([each]) => each === name)?.[1]
    const texts = [`{ ${name}: { not: "x" } }`, `{ ${name}: { matches: "(?P<found>.+)" } }`]
    return written.includes(name) ? texts : [`{ ${fact?.example} }`]
  })
  return leaf.chain((texts) => fc.constantFrom(...texts))
}

const exampleActions = Object.values<Action>(actions).filter((each) => isActionOf(each, 'issue'))
const actionOf = (onEvents: boolean, known: readonly string[]) =>
  fc.oneof(
    fc
      .constantFrom(...exampleActions.filter(({ when }) => onEvents || when !== 'on_events'))
      .map(({ example }) => `{ ${example} }`),
    fc.constantFrom(...known).map((name) => `{ comment: "It is {{ ${name} }}." }`),
    fc.constant('{ label: { add: "found-{{ found }}" } }'),
  )

const ruleText = fc.constantFrom('', 'on: note.create', 'on: issue.*', 'command: tell').chain((on) => {
  const known = on === '' ? names : eventNames
  return fc.tuple(conditionOf(known), actionOf(on !== '', known)).map(([condition, action]) => {
    const asks = action.includes('found') && !condition.includes('found')
    return `    for: issues\n${on === '' ? '' : `    ${on}\n`}    if: ${condition}\n    then: ${asks ? '{ subscribe: true }' : action}\n`
  })
})
const fileText = fc
  .array(ruleText, { minLength: 1, maxLength: 4 })
  .map((list) => `rules:\n${list.map((each, index) => `  - name: rule ${index}\n${each}`).join('')}`)

function given(text: string, confidential: unknown): DecideInput {
  const texts = { title: `${SECRET} title`, description: `${SECRET}\n- [ ] ${SECRET}`, confidential }
  const note = {
    id: 17,
    body: `@bellhop why\n@bellhop tell\n@bellhop s3cret\n\n${SECRET}`,
    author: alice,
    system: false,
  }
  const other = {
    'note@17': answer(note),
    notes: answer([{ ...note, created_at: '2026-01-10T00:00:00Z' }]),
    'actorAccess@2': answer({ ...alice, access_level: 40 }),
  }
  return input([file(text)], { ...ofIssue(texts, other), events })
}

function decisionOf(start: DecideInput): Decision {
  const result = decide(start)
  if ('needs' in result) throw new Error(`needs ${result.needs.join(', ')}`)
  return result.decision
}

it('a decision about a confidential issue has nothing in it that people wrote, nor have the facts that are stored with it', () => {
  let told = 0
  fc.assert(
    fc.property(fileText, fc.constantFrom(true, undefined, 'no'), (text, confidential) => {
      const start = given(text, confidential)
      expect(JSON.stringify([decisionOf(start), transientFacts(start)])).not.toContain(SECRET)
      if (JSON.stringify(decisionOf(given(text, false))).includes(SECRET)) told++
    }),
    { numRuns: 150 },
  )
  // The same rules do tell it where the issue is not confidential.
  expect(told).toBeGreaterThan(10)
})

it('a decision about an issue makes calls of the contract for this issue alone', () => {
  let made = 0
  fc.assert(
    fc.property(fileText, (text) => {
      for (const call of decisionOf(given(text, false)).calls) {
        made++
        const endpoint = endpointsByName.get(call.endpoint)
        expect(call.endpoint).toMatch(/^issues\./)
        expect(call.params).toMatchObject({ id: 1, issue_iid: 7 })
        const allowed = { ...endpoint?.pathParams, ...endpoint?.query, ...endpoint?.body }
        for (const [key, value] of Object.entries(call.params))
          expect(allowed[key]?.safeParse(value).success, key).toBe(true)
      }
    }),
    { numRuns: 150 },
  )
  expect(made).toBeGreaterThan(50)
})
