// The token out of a file: what is in it now counts, and a file that cannot be used changes nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTokenFile, serviceToken } from '../../../src/cli/settings/token-file.ts'
import { UserError } from '../../../src/cli/user-error.ts'

function opened(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'token')
  writeFileSync(path, text)
  const heard: string[] = []
  const token = openTokenFile(path, {
    onChange: (each) => heard.push(`token ${each}`),
    onProblem: (reason) => heard.push(reason),
  })
  return { path, heard, token, write: (next: string) => writeFileSync(path, next) }
}

test('a token that was written since counts, and is told of before it is given', () => {
  const { token, write, heard } = opened('glpat-1\n')
  expect(token()).toBe('glpat-1')
  write('glpat-2')
  expect(token()).toBe('glpat-2')
  expect(token()).toBe('glpat-2')
  expect(heard).toEqual(['token glpat-1', 'token glpat-2'])
})

test('a file that is gone or empty for a while leaves the last token, and is told of once without what is in it', () => {
  const { token, write, heard, path } = opened('glpat-1')
  rmSync(path)
  expect([token(), token()]).toEqual(['glpat-1', 'glpat-1'])
  write('half a new token')
  expect(token()).toBe('glpat-1')
  expect(heard).toEqual(['token glpat-1', expect.stringContaining(path)])
  write('glpat-2')
  expect(token()).toBe('glpat-2')
  write('')
  token()
  expect(heard).toHaveLength(4)
  expect(heard.join()).not.toContain('half')
})

test('a file that cannot be used at the start is a mistake of whoever starts it', () => {
  expect(() => opened('')).toThrow(UserError)
  expect(() => openTokenFile('/no/such/file', { onChange: () => {}, onProblem: () => {} })).toThrow(
    /BELLHOP_SERVICE_TOKEN_FILE.*\/no\/such\/file/,
  )
})

test('a token that is given itself is that token; one that is given twice is a mistake', () => {
  const hearer = { onChange: () => undefined, onProblem: () => undefined }
  expect(serviceToken({ serviceToken: 'glpat-1', serviceTokenFile: '' }, hearer)()).toBe('glpat-1')
  const { path } = opened('glpat-2')
  expect(serviceToken({ serviceToken: '', serviceTokenFile: path }, hearer)()).toBe('glpat-2')
  expect(() => serviceToken({ serviceToken: 'glpat-1', serviceTokenFile: path }, hearer)).toThrow(/both set/)
})
