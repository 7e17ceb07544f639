// docs/security.md and docs/threats.md name settings that exist.
import { expect, test } from 'vitest'
import { settings } from '../../src/cli/settings/settings.ts'
import { readPage } from './pages.ts'

test.each(['security.md', 'threats.md'])('%s names settings that exist', (name) => {
  const known = Object.values(settings).map(({ variable }) => variable)
  for (const [variable] of readPage(name).matchAll(/BELLHOP_[A-Z_]+/g)) expect(known).toContain(variable)
})
