// The ordinary merge request of rule tests says every fact.
import { describe, expect, it } from 'vitest'
import { facts } from '../../src/rules/facts/index.ts'
import { bot, ordinaryAnswers, ordinaryNow } from '../../src/rules/rule-test-ordinary.ts'
import { createView, factNamed } from '../../src/rules/view.ts'
import { input } from './world.ts'

describe('the ordinary merge request', () => {
  const view = createView({ ...input([], { answers: ordinaryAnswers(ordinaryNow), now: ordinaryNow }), bot })
  const others = ['pushed_by']
  it.each(Object.keys(facts).filter((name) => factNamed(name)?.ofEvents !== true && !others.includes(name)))('says %s', (name) => {
    // A source that a new fact is read from belongs into src/rules/rule-test-ordinary.ts.
    expect(view.fact(name)).toMatchObject({ is: 'known', complete: true })
  })
})
