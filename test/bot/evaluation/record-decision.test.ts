// After an evaluation the journal knows what the merge request waits for, and what is remembered of it.
import { remembered } from '../../../src/bot/evaluation/record-decision.ts'
import { decide } from '../../../src/rules/engine/decide.ts'
import { playService, service } from '../../client/world.ts'
import { file, input, rules, rule as ruleText } from '../../rules/world.ts'
import { useStores } from '../stores.ts'
import { makeEvaluation, mr, reads, readsProject, rule } from './evaluate-world.ts'

playService()
const stores = useStores()
const hour = 60 * 60_000

test('an evaluation stores what it waits for: the pipeline, then nothing once it is merged', async () => {
  const one = await makeEvaluation(rule('{ accept: true }'), { stores })
  const { clock, ref } = one
  const started = clock.now
  const tell = (kind: string, username: string) => {
    const at = new Date(clock.now).toISOString()
    const event = { kind, actor: { username }, at, ...ref }
    const delivery = { id: `d ${kind}`, receivedAt: at, header: 'Hook', bytes: 2, state: 'read' as const }
    return stores.journal.deliveries.save({ ...delivery, event, mergeRequests: [ref] })
  }
  const running = { head_pipeline: { id: 1, sha: 'a'.repeat(40), status: 'running', ref: 'door', source: 'push' } }
  readsProject()
  await tell('merge_request.open', 'alice')
  reads(running)
  await one.run()
  clock.now += hour
  // Merged by its own call, so that a decision with calls is the last.
  reads({}, 2)
  service().put(`${mr}/merge`).reply(200, { state: 'merged' })
  await one.run()
  // Intake needs no evaluation to know that it is merged.
  expect(await stores.journal.mergeRequests.known(ref)).toMatchObject([{ keeps: false, ended: true }])
  clock.now += hour
  await tell('merge_request.merge', 'bellhop')
  const range = { since: new Date(started - 7 * 24 * hour), until: new Date(clock.now + 1) }
  const [found] = await stores.journal.mergeRequests.times({ ...range }, 9)
  expect(found?.times).toMatchObject({
    bot: 'bellhop',
    waits: [{ at: started, for: 'pipeline' }, { at: started + hour }],
    merged: started + 2 * hour,
  })
})

function decidedBy(actions: string) {
  const given = input([file(rules(ruleText('{ draft: false }', actions)))])
  const result = decide(given)
  if ('needs' in result) throw new Error(`${result.needs} were not given`)
  return { decision: result.decision, input: given }
}

describe('a merge request whose rule matches', () => {
  it('stays, as any event may end what the rule asks for', () => {
    const expected = { keeps: true, over: false, ended: false }
    expect(remembered(decidedBy('{ accept: true }'), [], undefined)).toMatchObject(expected)
  })
  it('is over once a call merged it', () => {
    const expected = { keeps: false, over: true, ended: true }
    expect(remembered(decidedBy('{ accept: true }'), [], undefined, true)).toMatchObject(expected)
  })
})
