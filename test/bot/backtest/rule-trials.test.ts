// Rule trials: what runs twice at once, and what the service refuses. The admin tests try real texts on a real bot.
import { createRuleTrials } from '../../../src/bot/backtest/backtest.ts'
import type { RuleFiles } from '../../../src/bot/rule-files/rules-in-force.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import { testContext } from '../test-context.ts'

const refused = new ServiceError({
  ...{ kind: 'refused', path: '/user', status: 403, mayHaveBeenApplied: false },
  target: { name: 'users.current', method: 'GET', errors: {}, means: {} },
})
const busy = { ok: false, reason: 'Another backtest is running. Try again when it has ended.' }

type DryRun = Parameters<typeof createRuleTrials>[1]
const never = () => Promise.reject(new Error('it is not asked for that'))

function trialsWith(asIf: RuleFiles['asIf'], dryRun: DryRun = never) {
  return createRuleTrials(testContext({ rules: { asIf } }), dryRun)
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
  const dryRun: DryRun = async (...given) => {
    asked.push(given)
    return { ok: false, reason: 'no' }
  }
  const ref = { project: 7, iid: 3 }
  await trialsWith(never, dryRun).explain(ref, 'hello\n', {
    events: [],
  } as never)
  expect(asked).toEqual([[ref, { events: [] }, { text: 'hello\n', blob: 'ce013625030ba8dba906f756967f9e9ca394464a' }]])
})
