// docs/admin-api.md names every state and outcome, and only routes that exist.
import { expect, test } from 'vitest'
import { adminRoutes } from '../../src/admin/api/routes/index.ts'
import { decisionOutcomes } from '../../src/journal/decision-outcome.ts'
import { deliveryStates } from '../../src/journal/delivery-states.ts'
import { readPage } from './pages.ts'

const page = readPage('admin-api.md')
const rowsBelow = (head: string) =>
  [...(page.split(`| ${head} | is |\n`)[1]?.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, name]) => name,
  )

test('the tables have every state and every outcome', () => {
  expect(rowsBelow('`state` of a delivery')).toEqual([...deliveryStates])
  expect(rowsBelow('`outcome` of a decision')).toEqual([...decisionOutcomes])
})

test('every path is a route', () => {
  const forms = adminRoutes.map(({ path }) => path.replaceAll(/\{\w+\}/g, '…'))
  const given = [...page.matchAll(/`(?:GET )?(\/[a-z][^`]*)`/g)].map(([, path = '']) => path)
  const unknown = given
    .filter((path) => !path.startsWith('/admin'))
    .map((path) => path.replace(/\?.*/, '').replaceAll(/\b[A-Z]+\b/g, '…'))
    .filter((path) => !forms.includes(path))
  expect(unknown).toEqual([])
})
