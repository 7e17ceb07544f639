// What a process has read from rule files is shared by all of its evaluations.
import { expect, test } from 'vitest'
import { rememberedRules } from '../../src/bot/remembered-rules.ts'
import { readRules } from '../../src/rules/document.ts'

const text = 'version: 1\nrules:\n  - { name: a, if: { draft: false }, then: { subscribe: true } }\n'
const reading = (of: string) => async () => readRules(of, '.bellhop.yml', { trust: 'repository' })

test('the same key and text are read once, also where many ask at the same time', async () => {
  const remembered = rememberedRules()
  const all = await Promise.all(Array.from({ length: 20 }, () => remembered('a', text, reading(text))))
  expect(new Set(all).size).toBe(1)
  expect(await remembered('a', text, () => Promise.reject(new Error('read again')))).toBe(all[0])
})

test('a key that comes with another text does not bring the rules of the first', async () => {
  const remembered = rememberedRules()
  const other = text.replace('draft: false', 'draft: true')
  await remembered('a', text, reading(text))
  expect(await remembered('a', other, reading(other))).toEqual(await reading(other)())
})

test('the files of a thousand projects are all kept, and what is asked for last outlives what is not asked for', async () => {
  const remembered = rememberedRules()
  const read = (n: number) => remembered(`project ${n}`, `${text}# ${n}\n`, reading(text))
  const all = await Promise.all(Array.from({ length: 1_000 }, (_, n) => read(n)))
  for (const [n, each] of all.entries()) expect(await read(n)).toBe(each)
  // More characters than are kept, in comments.
  const large = '#'.repeat(250_000)
  for (let n = 0; n < 40; n += 1) {
    await remembered(`large ${n}`, `${text}${large}`, reading(text))
    expect(await read(0)).toBe(all[0])
  }
  expect(await read(1)).not.toBe(all[1])
})

test('what could not be read is told to all who asked, and is read anew when it is asked for again', async () => {
  const remembered = rememberedRules()
  const failing = () => Promise.reject(new Error('the store is away'))
  const asked = [1, 2].map(() => remembered('a', text, failing))
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await remembered('a', text, reading(text))).ok).toBe(true)
})
