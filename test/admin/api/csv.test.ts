// CSV: every cell is one cell again, and none is a formula in a spreadsheet.
import fc from 'fast-check'
import { csv } from '../../../src/admin/api/routes/insights.ts'

describe('csv', () => {
  it('quotes what needs it', () => {
    expect(csv([['a', 1.5, 'b,c', 'd"e', 'f\ng', '']])).toBe('a,1.5,"b,c","d""e","f\ng",\r\n')
  })
  it.each([
    ['=HYPERLINK("http://a")', '"\'=HYPERLINK(""http://a"")"'],
    ['+1', "'+1"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['\r=1', '"\'\r=1"'],
    ['＝1', "'＝1"],
  ])('makes no formula of %j', (text, cell) => {
    expect(csv([[text]])).toBe(`${cell}\r\n`)
  })
  it('writes negative numbers as numbers', () => {
    expect(csv([[-1]])).toBe('-1\r\n')
  })
  it('has as many cells as were given, whatever their texts', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', 'a', ' ') })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (row) => {
        const line = `,${csv([row]).slice(0, -2)}`
        const found = [...line.matchAll(/,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/gy)]
        const cells = found.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
        expect(cells.map((cell) => cell.replace(/^'/, ''))).toEqual(row)
        for (const cell of cells) expect(cell).not.toMatch(/^\s*[=+\-@]/)
      }),
    )
  })
})
