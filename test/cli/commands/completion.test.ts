// `bellhop completion`: what bash completes by its script.
import { execFileSync } from 'node:child_process'
import { bellhopHere, refuses } from '../run-here.ts'

/** What bash offers for these words, of which the last is being typed. */
async function completed(...words: string[]): Promise<string[]> {
  const { out } = await bellhopHere(['completion', 'bash'])
  const given = `COMP_WORDS=(bellhop ${words.map((each) => `'${each}'`).join(' ')}); COMP_CWORD=${words.length}`
  const text = `${out}${given}; _bellhop; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', text], { encoding: 'utf8' }).trim().split('\n')
}

test('bash completes commands, those below them, and flags', async () => {
  expect((await completed('de')).sort()).toEqual(['decisions', 'deliveries', 'demo'])
  expect(await completed('deliveries', 're')).toEqual(['replay'])
  expect(await completed('check', '--on')).toEqual(['--online'])
})

test('zsh runs the same script', async () => {
  const [bash, zsh] = [await bellhopHere(['completion', 'bash']), await bellhopHere(['completion', 'zsh'])]
  expect(zsh.out).toBe(`autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bash.out}`)
})

test('another shell is wrong usage', async () => {
  expect(await bellhopHere(['completion', 'fish'])).toEqual(refuses(2, /bash, zsh/))
})
