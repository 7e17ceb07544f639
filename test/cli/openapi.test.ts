// `bellhop openapi` as a process.
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openApiDocument } from '../../src/api/openapi.ts'
import { bellhop } from './run-cli.ts'

describe.concurrent('bellhop openapi', () => {
  test('prints the document as JSON, and nothing else', async () => {
    const { code, out, err } = await bellhop(['openapi'])
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toEqual(openApiDocument())
  })

  test('prints the same document as YAML', async () => {
    const { code, out } = await bellhop(['openapi', '--format', 'yaml'])
    expect(code).toBe(0)
    expect(parse(out)).toEqual(openApiDocument())
  })

  test('knows no other format: exit 2', async () => {
    expect((await bellhop(['openapi', '--format', 'xml'])).code).toBe(2)
  })
})
