// Log lines name projects and merge requests as people do, where the path is known.
import pino, { type Logger } from 'pino'
import { describe, expect, test } from 'vitest'
import { logNames } from '../../../src/bot/reporting/names.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { playService } from '../../client/world.ts'
import { makeEvaluation, reads, rule } from '../evaluation/evaluate-world.ts'
import { intakesOn, opened } from '../intake/intake-world.ts'
import { useStores } from '../stores.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

function keepLines(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  return { log: pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) }), lines }
}

/** The journal knows this path of the project. */
const name = (project: number, projectPath: string) =>
  stores.journal.ruleFiles.save(project, [
    {
      ...{ project, projectPath, path: '.bellhop.yml', ref: 'main', readAt: '2026-11-21T12:00:00.000Z' },
      ...{ blob: null, text: null, good: null, problems: [] },
    },
  ])

describe('the log names a merge request', () => {
  test('by the path of its project in an evaluation', async () => {
    const { log, lines } = keepLines()
    const { run } = await makeEvaluation(rule('{ label: { add: x } }', 'if: { draft: true }'), { stores, log })
    await name(1, 'acme/door')
    reads()
    await run()
    expect(lines).toMatchObject([
      { event: 'evaluated', mergeRequest: 'acme/door!7' },
      { event: 'decided', mergeRequest: 'acme/door!7' },
    ])
  })

  test('by the path of its project when a delivery was read', async () => {
    const { log, lines } = keepLines()
    const intake = makeIntake({ log })
    await name(7, 'hotel/app')
    await intake.take(opened)
    expect(lines).toMatchObject([{ event: 'delivery_read', mergeRequests: ['hotel/app!2'] }])
  })

  test('by ids where no path is known', async () => {
    stores.renew()
    const ref = { project: 7 }
    expect(await logNames(stores.journal, [{ ...ref, iid: 2 }, ref])).toEqual(['!2 of project 7', 'project 7'])
  })

  test('and an issue by its own number', async () => {
    stores.renew()
    await name(7, 'hotel/app')
    expect(await logNames(stores.journal, [issueRef(7, 2), issueRef(8, 2)])).toEqual(['hotel/app#2', '#2 of project 8'])
  })
})
