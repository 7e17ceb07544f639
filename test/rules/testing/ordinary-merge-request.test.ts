// The ordinary merge request of rule tests says every fact.
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import { bot, issueAnswers, ordinaryAnswers, ordinaryNow } from '../../../src/rules/testing/ordinary-merge-request.ts'
import { factsOf, input } from '../world.ts'

/** Nobody has approved, labelled or reviewed it. */
const neverHappened = ['since_approved', 'since_labelled', 'since_review_requested']

describe.each([
  // The last two: from deliveries, and of dependency bots only.
  ['merge_request', { answers: ordinaryAnswers(ordinaryNow) }, [...neverHappened, 'pushed_by', 'version_change']],
  ['issue', { mergeRequest: issueRef(1, 7), answers: issueAnswers(ordinaryNow) }, neverHappened],
] as const)('the ordinary %s', (subject, given, others: readonly string[]) => {
  const view = createView({ ...input([], { ...given, now: ordinaryNow }), bot })
  it.each(
    factsOf(subject).flatMap(([name, { ofEvents }]) => (ofEvents === true || others.includes(name) ? [] : [name])),
  )('says %s', (name) => {
    // A source that a new fact is read from belongs into src/rules/testing/ordinary-merge-request.ts.
    expect(view.fact(name)).toMatchObject({ is: 'known', complete: true })
  })
})
