// Rule trials: what runs twice at once, and what the service refuses. The admin tests try real texts on a real bot.
import { expect, test } from 'vitest'
import { createRuleTrials, type RuleTrialsOptions } from '../../../src/bot/backtest/rule-trials.ts'
import { ServiceError } from '../../../src/client/errors.ts'

const refused = new ServiceError({
  ...{ kind: 'refused', path: '/user', status: 403, mayHaveBeenApplied: false },
  target: { name: 'users.current', method: 'GET', errors: {}, means: {} },
})
const busy = { ok: false, reason: 'Another backtest is running. Try again when it has ended.' }

function trialsWith(asIf: RuleTrialsOptions['ruleFiles']['asIf'], more: Partial<RuleTrialsOptions> = {}) {
  const never = () => Promise.reject(new Error('it is not asked for that'))
  return createRuleTrials({
    ...{ offLabel: 'off', now: () => 0, ruleFiles: { asIf } },
    client: {} as RuleTrialsOptions['client'],
    journal: {
      ...{ ruleFiles: { find: never }, pushes: { list: never }, marks: { read: never }, decisions: { list: never } },
    } as unknown as RuleTrialsOptions['journal'],
    dryRun: never,
    ...more,
  })
}

test('one backtest runs at a time; a failure of the service is its reason', async () => {
  let fail = (_error: Error) => {}
  const waiting = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const trials = trialsWith(() => waiting)
  const first = trials.backtest(7, 'version: 1', 5)
  expect(await trials.backtest(8, 'version: 1', 5)).toEqual(busy)
  fail(refused)
  expect(await first).toEqual({ ok: false, reason: refused.message })
  expect(await trials.backtest(8, 'version: 1', 5)).not.toEqual(busy)
})

test('the text is tried as the file that git would name', async () => {
  const asked: unknown[] = []
  const dryRun: RuleTrialsOptions['dryRun'] = async (...given) => {
    asked.push(given)
    return { ok: false, reason: 'no' }
  }
  const ref = { project: 7, iid: 3 }
  await trialsWith(() => Promise.reject(new Error('not this')), { dryRun }).explain(ref, 'hello\n', {
    events: [],
  } as never)
  expect(asked).toEqual([[ref, { events: [] }, { text: 'hello\n', blob: 'ce013625030ba8dba906f756967f9e9ca394464a' }]])
})
