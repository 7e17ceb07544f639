// Colours, on a terminal without NO_COLOR.
import pc from 'picocolors'

export const colours = pc.createColors(process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '')
