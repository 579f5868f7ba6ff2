/** Unpacks the package's Chromium, its fonts and its libraries into TMPDIR. */
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
