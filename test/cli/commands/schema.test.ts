// `bellhop schema` prints the schema that is committed for editors.
import { readFileSync } from 'node:fs'
import { beyondSchema } from '../../../src/rules/language/schema/rule-file.ts'
import { bellhopHere as bellhop } from '../run-here.ts'

test('prints the JSON Schema of rule files', async () => {
  const { code, out, err } = await bellhop(['schema'])
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(readFileSync(new URL('../../../rules/bellhop.schema.json', import.meta.url), 'utf8'))
})

test('--help lists what only check finds', async () => {
  const { code, out } = await bellhop(['schema', '--help'])
  expect(code).toBe(0)
  for (const each of beyondSchema) expect(out).toContain(`- ${each}`)
})
