"""Makes the office files of the tests: python3-docx, python3-openpyxl and LibreOffice, as Debian 12 has them.

Run it in this folder with /usr/bin/python3. The files are committed, because few machines have the programs.
"""
import datetime, os, subprocess

from docx import Document
from openpyxl import Workbook
# openpyxl price list
wb=Workbook(); ws=wb.active; ws.title="Preços"
ws.append(["Tabela de preços – Padaria Estrela"]); ws.merge_cells("A1:D1")
ws.append([])
ws.append(["Produto","Preço","Prazo","Válido até"])
for r in [("Bolo de fubá",1035.5,"2 dias",datetime.date(2026,12,31)),("Pão francês",0.9,"na hora",datetime.date(2026,12,24)),("Torta salgada",89.9,"1 dia",datetime.datetime(2026,12,24,18,30))]:
    ws.append(list(r))
for row in ws.iter_rows(min_row=4,max_row=6):
    row[1].number_format='"R$" #,##0.00'; row[3].number_format='dd/mm/yyyy'
ws["D6"].number_format='dd/mm/yyyy hh:mm'
ws.append(["Total","=SUM(B4:B6)",None,None])
ws2=wb.create_sheet("Entrega"); 
for r in [["Bairro","Taxa","Percentual","Aceita"],["Centro",5,0.15,True],[None,None,0.075,False],["Zona Sul",12.5,0.2,True]]: ws2.append(r)
ws2.merge_cells("A2:A3")
for c in ("C2","C3","C4"): ws2[c].number_format="0.0%"
ws3=wb.create_sheet("Oculta"); ws3.sheet_state="hidden"; ws3.append(["segredo",1])
wb.create_sheet("Vazia")
wb.save("openpyxl.xlsx")
d=Document(); d.core_properties.title="Guia da Padaria Estrela"
d.add_heading("Padaria Estrela",0); d.add_heading("Horário",1); d.add_paragraph("Abrimos de segunda a sexta, das oito às dezoito horas.")
d.add_paragraph("Segunda",style="List Bullet"); d.add_paragraph("Terça",style="List Bullet"); d.add_paragraph("Primeiro passo",style="List Number"); d.add_paragraph("Segundo passo",style="List Number")
d.add_heading("Preços",2)
t=d.add_table(rows=1,cols=3); t.style="Table Grid"
for c,x in zip(t.rows[0].cells,["Produto","Preço","Prazo"]): c.text=x
for r in [("Bolo de fubá","R$ 1.035,50","2 dias"),("Pão | francês","R$ 0,90","na hora")]:
    cells=t.add_row().cells
    for c,x in zip(cells,r): c.text=x
r=t.add_row().cells; r[0].merge(r[2]).text="Entrega grátis acima de R$ 100"
p=d.add_paragraph("Veja "); p.add_run("com atenção").bold=True; p.add_run(" a linha\nquebrada.")
d.sections[0].header.paragraphs[0].text="Cabeçalho da casa"; d.sections[0].footer.paragraphs[0].text="Rodapé"
d.save("python-docx.docx")
wb=Workbook(); ws=wb.active; ws.title="Varejo"
ws.append(["Padaria Estrela – tabela de preços"]); ws.merge_cells("A1:F1"); ws.append([])
ws.append(["Código","Produto","Preço","Custo","Desconto","Válido até"])
for i,(n,p) in enumerate([("Bolo de fubá",1035.5),("Pão francês",0.9),("Torta salgada",89.9),("Café coado",4)]):
    ws.append([7891000000000+i,n,p,p/2,0.125,datetime.date(2026,12,24)])
    r=ws.max_row
    ws.cell(r,1).number_format="0"; ws.cell(r,3).number_format='_-"R$"\\ * #,##0.00_-;\\-"R$"\\ * #,##0.00_-;_-"R$"\\ * "-"??_-;_-@_-'
    ws.cell(r,4).number_format='[$R$-416]\\ #,##0.00'; ws.cell(r,5).number_format='0.00%'; ws.cell(r,6).number_format='mm-dd-yy'
ws.column_dimensions["D"].hidden=True
ws.append([None,"Bolo de pote",12.5,None,None,datetime.datetime(2026,12,31,9,5)]); ws.row_dimensions[ws.max_row].hidden=False
ws.append([None,"Interno",1]); ws.row_dimensions[ws.max_row].hidden=True
w=wb.create_sheet("Formatos")
w.append(["O quê","Valor"])
for k,v,f in [("telefone",11999990001,'\\(00\\)\\ 00000\\-0000'),("cep",1310100,'00000\\-000'),("hora",datetime.time(14,30),'hh:mm'),("duração",1.5,'[h]:mm'),("milhar",1234567,'#,##0'),("negativo",-1234.5,'#,##0.00_);[Red]\\(#,##0.00\\)'),("texto","00123",'@'),("num geral",0.1+0.2,'General'),("cient",1e21,'General'),("longo",datetime.date(2026,12,24),'[$-416]d\\ "de"\\ mmmm\\ "de"\\ yyyy;@'),("mesano",datetime.date(2026,12,1),'mmm/yy'),("fração",0.5,'# ?/?'),("erro","#N/A",'General'),("euro",5,'[$€-2]\\ #,##0.00'),("datahora",datetime.datetime(2026,12,24,18,30),'m/d/yy h:mm')]:
    w.append([k,v]); w.cell(w.max_row,2).number_format=f
wb.save("price-list.xlsx")
wb=Workbook(); ws=wb.active; ws.title="Prices"; ws.append(["Item","Price","From"])
ws.append(["Cake",1035.5,datetime.date(2026,12,24)]); ws["B2"].number_format='"$"#,##0.00'; ws["C2"].number_format='mm-dd-yy'
ws.append(["Bread",1035,datetime.date(2026,12,1)]); ws["B3"].number_format='#,##0'; ws["C3"].number_format='d-mmm-yy'
wb.save("dollars.xlsx")

PAGE = """<html><head><meta charset="utf-8"><title>Guia LO</title></head><body><h1>Padaria Estrela</h1><p>Abrimos de segunda a sexta.</p><ul><li>Pão<ul><li>francês</li><li>integral</li></ul></li><li>Bolo</li></ul><ol><li>Escolha</li><li>Pague</li></ol><h2>Preços</h2><table border=1><tr><th>Produto</th><th>Preço</th></tr><tr><td>Bolo de fubá</td><td>R$ 1.035,50</td></tr><tr><td>Pão francês</td><td>R$ 0,90</td></tr><tr><td colspan=2>Entrega grátis</td></tr></table><p>Fim <a href="https://padaria.example/">site</a></p></body></html>
"""
SLIDES = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation">
<office:automatic-styles><style:page-layout style:name="PM1"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout><style:style style:name="dp1" style:family="drawing-page"/></office:automatic-styles>
<office:master-styles><style:master-page style:name="Default" style:page-layout-name="PM1" draw:style-name="dp1"/></office:master-styles>
<office:body><office:presentation>
<draw:page draw:name="Um" draw:style-name="dp1" draw:master-page-name="Default">
<draw:frame presentation:class="title" svg:width="25cm" svg:height="3cm" svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>Padaria Estrela</text:p></draw:text-box></draw:frame>
<draw:frame svg:width="25cm" svg:height="10cm" svg:x="1cm" svg:y="5cm"><draw:text-box><text:list><text:list-item><text:p>Abrimos de segunda a sexta</text:p></text:list-item><text:list-item><text:p>Entregamos no Centro</text:p></text:list-item></text:list></draw:text-box></draw:frame>
<presentation:notes><draw:frame presentation:class="notes" svg:width="15cm" svg:height="10cm" svg:x="1cm" svg:y="15cm"><draw:text-box><text:p>Nota do orador: sorria</text:p></draw:text-box></draw:frame></presentation:notes>
</draw:page>
<draw:page draw:name="Dois" draw:style-name="dp1" draw:master-page-name="Default">
<draw:frame svg:width="25cm" svg:height="3cm" svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>Preços</text:p></draw:text-box></draw:frame>
<draw:frame svg:width="20cm" svg:height="5cm" svg:x="1cm" svg:y="5cm"><table:table><table:table-column/><table:table-column/>
<table:table-row><table:table-cell><text:p>Produto</text:p></table:table-cell><table:table-cell><text:p>Preço</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>Bolo de fubá</text:p></table:table-cell><table:table-cell><text:p>R$ 1.035,50</text:p></table:table-cell></table:table-row></table:table></draw:frame>
</draw:page></office:presentation></office:body></office:document>
"""
def office(source, ending, name, *more):
    subprocess.run(["soffice", "--headless", *more, "--convert-to", ending, "--outdir", "made", source], check=True)
    stem = os.path.splitext(os.path.basename(source))[0]
    os.replace(f"made/{stem}.{ending}", name)


open("guide.html", "w").write(PAGE)
open("slides.fodp", "w").write(SLIDES)
for ending in ["docx", "odt", "doc", "rtf"]:
    office("guide.html", ending, f"libreoffice.{ending}", "--infilter=HTML (StarWriter)")
for ending in ["pptx", "odp"]:
    office("slides.fodp", ending, f"libreoffice.{ending}")
for ending in ["xlsx", "ods", "xls"]:
    office("openpyxl.xlsx", ending, f"libreoffice.{ending}")
LISTS = """5. Cinco
6. Seis

Entre as listas.

7. Sete
8. Oito

Outra.

1. Um
2. Dois

    3. Três dentro
    4. Quatro dentro

- Ponto
"""
open("lists.md", "w").write(LISTS)
for ending, other in [("docx", "odt"), ("odt", "docx")]:
    subprocess.run(["pandoc", "lists.md", "-o", f"lists-pandoc.{ending}"], check=True)
    office(f"lists-pandoc.{ending}", other, f"lists-libreoffice.{other}")
os.remove("lists.md")
for left in ["guide.html", "slides.fodp"]:
    os.remove(left)
os.rmdir("made")
