// `bellhop openapi` as a process.
import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openApiDocument } from '../../src/api/openapi.ts'
import { builtCommand } from '../built-command.ts'
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

  test('ends quietly when the reader closes the pipe', async () => {
    const child = spawn('sh', ['-c', '"$0" "$1" openapi | head -n 1', process.execPath, await builtCommand()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => chunks.push(String(bytes)))
    await new Promise((resolve) => child.once('close', resolve))
    expect(chunks.join('')).toBe('{\n')
  })
})
