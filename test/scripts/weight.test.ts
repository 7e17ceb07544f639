// What `npm run weight` counts.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { sumOf, weightOf } from '../../scripts/weight.ts'

const root = join(import.meta.dirname, '../..')

test('files weigh in the folder that holds them, by lines and by characters', () => {
  const files = [
    { path: 'src/a/b.ts', text: 'one\ntwo\n' },
    { path: 'src/a/c.ts', text: 'three\n' },
    { path: 'src/a/d/e.ts', text: '' },
  ]
  expect(weightOf(files)).toEqual(
    new Map([
      ['src/a', { files: 2, lines: 3, characters: 14 }],
      ['src/a/d', { files: 1, lines: 0, characters: 0 }],
    ]),
  )
})

test('the sum has every folder', () => {
  const one = { files: 1, lines: 2, characters: 3 }
  expect(sumOf([one, one])).toEqual({ files: 2, lines: 4, characters: 6 })
})

test('the command prints each size with both bounds, and ten folders', () => {
  const [npm = '', ...words] = 'npm run weight'.split(' ')
  const printed = execFileSync(npm, [...words, '--silent'], { cwd: root, encoding: 'utf8' })
  const [sizes = '', folders = ''] = printed.split('\n\n')
  const lines = sizes.split('\n').slice(2)
  expect(lines).toHaveLength(5)
  for (const line of lines) expect(line).toMatch(/^\| .+ \| [\d,]+( \([\d,]+\))? \| ≤ [\d,]+ \| ≤ [\d,]+ \|$/)
  expect(folders.trim().split('\n').slice(2)).toHaveLength(10)
})
