// The ordinary merge request of rule tests says every fact.
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import { bot, issueAnswers, ordinaryAnswers, ordinaryNow } from '../../../src/rules/testing/ordinary-merge-request.ts'
import { factsOf, input } from '../world.ts'

/** Nobody has approved, labelled or reviewed it. */
const neverHappened = ['since_approved', 'since_labelled', 'since_review_requested']

describe('the ordinary merge request', () => {
  const view = createView({ ...input([], { answers: ordinaryAnswers(ordinaryNow), now: ordinaryNow }), bot })
  // From deliveries, and of dependency bots only.
  const others = ['pushed_by', 'version_change', ...neverHappened]
  it.each(
    factsOf('merge_request').flatMap(([name, { ofEvents }]) =>
      ofEvents === true || others.includes(name) ? [] : [name],
    ),
  )('says %s', (name) => {
    // A source that a new fact is read from belongs into src/rules/testing/ordinary-merge-request.ts.
    expect(view.fact(name)).toMatchObject({ is: 'known', complete: true })
  })
})

describe('the ordinary issue', () => {
  const answers = issueAnswers(ordinaryNow)
  const view = createView({ ...input([], { mergeRequest: issueRef(1, 7), answers, now: ordinaryNow }), bot })
  it.each(
    factsOf('issue').flatMap(([name, { ofEvents }]) =>
      ofEvents === true || neverHappened.includes(name) ? [] : [name],
    ),
  )('says %s', (name) => {
    // A source that a new fact is read from belongs into src/rules/testing/ordinary-issue.ts.
    expect(view.fact(name)).toMatchObject({ is: 'known', complete: true })
  })
})
