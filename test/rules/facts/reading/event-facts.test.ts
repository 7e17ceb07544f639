// What an event states of its merge request.
import { expect, it } from 'vitest'
import { statedFacts } from '../../../../src/rules/facts/reading/event-facts.ts'
import type { Event } from '../../../../src/rules/types.ts'

const event = (status?: string): Event => ({
  ...{ kind: 'pipeline', actor: {}, at: '2026-01-01T00:00:00Z' },
  ...(status === undefined ? {} : { pipeline: { id: 1, status, sha: 'a' } }),
})

it('the status of its pipeline, if it is one that rules can name', () => {
  expect(statedFacts(event('running'))).toEqual([
    { fact: 'pipeline', is: { is: 'known', value: 'running', complete: true } },
  ])
  expect([statedFacts(event()), statedFacts(event('a new one'))]).toEqual([[], []])
})
