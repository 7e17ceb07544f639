// The page of a project says when its patterns take too long.
import { h } from 'preact'
import { render } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { ViewerContext } from '../../../src/admin/pages/parts/viewer.ts'
import { projectPage } from '../../../src/admin/pages/project.tsx'
import { decision, matchedRule } from '../../suites/journal/records.ts'

const limited = (iid: number, condition: string) => {
  const conditions = { condition, verdict: 'unknown', expected: 'w', actual: 'more: 20,000,001 were reached' }
  const at = '2026-11-21T12:00:00.000Z'
  return { ...decision({ project: 7, iid }, at, `d${iid}`), rules: [{ ...matchedRule('n'), conditions }] }
}

async function pageWith(conditions: string[]): Promise<string> {
  const answers: Record<string, unknown> = {
    show_project: {
      ...{ project: 7, path: 'hotel/app', hook: null, paused: null },
      ...{ deliveries: 0, unread: 0, decisions: 0, done: 0, failed: 0 },
    },
    show_rules: {
      ...{ project: 7, path: 'hotel/app', mode: 'act', branch: 'main', readAt: '2026-11-21T12:00:00.000Z' },
      ...{ problems: [], files: [], removed: [] },
    },
    list_failed_jobs: { items: [] },
    list_decisions: { items: conditions.map((condition, index) => limited(index + 1, condition)) },
    list_deliveries: { items: [] },
  }
  const api = async (name: string) => answers[name]
  const { body } = await projectPage.show({ params: { project: '7' }, api } as unknown as Parameters<
    typeof projectPage.show
  >[0])
  const viewer = { now: '2026-11-21T12:00:00.000Z', session: { name: 'reader', scopes: ['read' as const], csrf: 'c' } }
  return render(h(ViewerContext.Provider, { value: viewer }, body))
}

test('shows the reason, the number of merge requests, and the newest decision', async () => {
  const html = await pageWith(['pattern matching', 'labels', 'pattern matching'])
  expect(html).toContain(
    'The rules of 2 merge requests are unknown. Matching their patterns takes more: 20,000,001 were reached.',
  )
  expect(html).toContain('href="/admin/decisions/d1"')
})

test('shows nothing without such a decision', async () => {
  expect(await pageWith(['labels'])).not.toContain('Matching their patterns')
})
