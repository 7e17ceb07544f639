// The token in a file: an unusable file keeps the previous one.
import { rmSync } from 'node:fs'
import { openTokenFile } from '../../../src/cli/settings/secret-files.ts'
import { UserError } from '../../../src/cli/user-error.ts'
import { ownFolder } from '../own-folder.ts'

function opened(text: string) {
  const { write } = ownFolder()
  const path = write('token', text)
  const heard: string[] = []
  const token = openTokenFile(path, {
    onChange: (each) => heard.push(`token ${each}`),
    onProblem: (reason) => heard.push(reason),
  })
  return { path, heard, token, write: (next: string) => write('token', next) }
}

test('while the file is missing or invalid the previous token stays; it is reported once, without the content', () => {
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

test('an unusable file at the start is wrong usage', () => {
  expect(() => opened('')).toThrow(UserError)
  expect(() => openTokenFile('/no/such/file', { onChange: () => {}, onProblem: () => {} })).toThrow(
    /BELLHOP_SERVICE_TOKEN_FILE.*\/no\/such\/file/,
  )
})
